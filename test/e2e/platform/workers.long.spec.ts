import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { BuiltService, freePort } from '../../support/built-service.js';
import { Scrape } from '../../support/metrics.js';
import { eventually } from '../../support/test-app.js';

const READS = 60;
const WORKERS = 3;
const METRIC = 'gatehouse_http_request_duration_seconds_count';

/** Asks on a new connection, which may be any worker's. */
function ask(service: BuiltService, path: string, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    get(`${service.url}${path}`, { agent: false, headers }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    }).once('error', reject);
  });
}

const askOften = (count: number, service: BuiltService, path: string, token?: string) =>
  Promise.all(Array.from({ length: count }, () => ask(service, path, token)));

/** Processes of the workers, in the order of their start. */
function workersOf({ pid }: BuiltService): number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.trim().split(' ').filter(Boolean).map(Number);
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Numbers of the workers whose metrics are shown. */
const shown = async (service: BuiltService) =>
  new Set((await Scrape.of(service.url)).samples.flatMap(({ labels: { worker = [] } }) => worker)).size;

describe('WORKERS', () => {
  let service: BuiltService;
  beforeAll(async () => {
    service = await BuiltService.start({
      WORKERS: String(WORKERS),
      RATE_READ: String(READS),
      LOG_LEVEL: 'warn',
    });
    await eventually('all workers serve', async () => (await shown(service)) === WORKERS, 60_000);
  }, 120_000);
  afterAll(() => service.stop());

  it('counts one bucket for all workers, exactly', async () => {
    const { accessToken } = await service.login(await service.register());
    const began = performance.now();
    const statuses = await askOften(5 * READS, service, '/api/v1/iam/me', accessToken);
    const refilled = Math.ceil((performance.now() - began) / (60_000 / READS));
    const allowed = statuses.filter((status) => status === 200).length;
    expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(allowed).toBeGreaterThanOrEqual(READS);
    expect(allowed).toBeLessThanOrEqual(READS + refilled);
  });

  it('shows the metrics of all workers, which share the requests', async () => {
    await askOften(60, service, '/healthz');
    const scrape = await Scrape.of(service.url);
    const counts = [1, 2, 3].map((worker) => scrape.sum(METRIC, { worker: String(worker) }));
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(3);
    expect(scrape.text.match(new RegExp(`^# TYPE ${METRIC.replace('_count', '')} `, 'gm'))).toHaveLength(1);
  });

  it('refuses a session that another worker has ended, within a second', async () => {
    const { accessToken } = await service.login(await service.register());
    expect(new Set(await askOften(12, service, '/api/v1/iam/me', accessToken))).toEqual(new Set([200]));
    const { status } = await service.post('logout', {}, { token: accessToken });
    expect(status).toBe(204);
    const ended = performance.now();
    await eventually('all workers refuse the session', async () =>
      (await askOften(12, service, '/api/v1/iam/me', accessToken)).every((one) => one === 401),
    );
    expect(performance.now() - ended).toBeLessThan(1_000);
  });

  it('runs the jobs of the replica in one worker', async () => {
    await service.register();
    expect(await service.sql('SELECT count(*)::int FROM job_runners')).toEqual([{ count: 1 }]);
  });

  it('is not ready while a worker hangs', async () => {
    const hanging = workersOf(service).at(-1) ?? 0;
    process.kill(hanging, 'SIGSTOP');
    const asked = Array.from({ length: 4 * WORKERS }, () => ask(service, '/readyz'));
    try {
      expect(await Promise.race(asked)).toBe(503); // those that reach the hanging worker wait for it
    } finally {
      process.kill(hanging, 'SIGCONT');
    }
    await Promise.all(asked);
    await eventually('the replica is ready again', async () => (await ask(service, '/readyz')) === 200);
  });

  it('loses nothing that was acknowledged, and replaces the worker, when one is killed', async () => {
    const sessions = await Promise.all(
      Array.from({ length: 6 }, async () => service.login(await service.register())),
    );
    const before = workersOf(service);
    expect(before).toHaveLength(WORKERS);
    const killed = before[0] ?? 0; // it runs the jobs
    const outcomes = sessions.map(async ({ accessToken, refreshToken }, index) => {
      if (index === 3) process.kill(killed, 'SIGKILL');
      const answer = await service
        .post(index % 2 ? 'logout' : 'refresh', { refreshToken }, { token: accessToken })
        .catch(() => undefined); // its worker was killed: nothing was acknowledged
      return { accessToken, body: answer?.body, status: answer?.status };
    });
    for (const { accessToken, status, body } of await Promise.all(outcomes)) {
      if (status === 204) expect(await ask(service, '/api/v1/iam/me', accessToken)).toBe(401);
      if (status === 200) {
        const renewed = body as unknown as { accessToken: string; refreshToken: string };
        expect(await ask(service, '/api/v1/iam/me', renewed.accessToken)).toBe(200);
        expect((await service.post('refresh', { refreshToken: renewed.refreshToken })).status).toBe(200);
      }
    }
    await eventually('the worker has ended', () => !isRunning(killed));
    expect(await askOften(WORKERS, service, '/readyz')).toEqual([200, 200, 200]);
    await eventually('another worker serves', async () => (await shown(service)) === WORKERS, 60_000);
    expect(workersOf(service)).toHaveLength(WORKERS);
    const [line = '{}'] = service.output.split('\n').filter((one) => one.includes('is replaced'));
    expect(JSON.parse(line)).toMatchObject({
      level: 40,
      context: 'Workers',
      worker: 1,
      ended: killed,
      code: null,
      signal: 'SIGKILL',
    });
    await service.register(); // the jobs go on: its mail arrives
  });

  it('replaces a worker that hangs', async () => {
    const hanging = workersOf(service).at(-1) ?? 0;
    process.kill(hanging, 'SIGSTOP');
    await eventually('the worker is killed', () => !isRunning(hanging), 90_000);
    await eventually('another worker serves', async () => (await shown(service)) === WORKERS, 60_000);
    expect(workersOf(service)).toHaveLength(WORKERS);
    expect(service.output).toContain('A worker hangs and is killed.');
    expect(await askOften(WORKERS, service, '/readyz')).toEqual([200, 200, 200]);
  }, 180_000);

  it('tries again if the system cannot start another worker', async () => {
    const killed = workersOf(service).at(-1) ?? 0;
    const limitFiles = (soft: string) =>
      execFileSync('prlimit', ['--pid', String(service.pid), `--nofile=${soft}:`]);
    limitFiles('3');
    process.kill(killed, 'SIGKILL');
    await eventually('it says why', () => service.output.includes('EMFILE'));
    limitFiles('1024');
    await eventually('another worker serves', async () => (await shown(service)) === WORKERS, 60_000);
    expect(workersOf(service)).toHaveLength(WORKERS);
  }, 120_000);

  it('ends when its parent is killed', async () => {
    const other = await BuiltService.start({ ...service.environment, PORT: String(await freePort()) });
    const workers = workersOf(other);
    expect(workers.length).toBeGreaterThan(0);
    other.kill('SIGKILL');
    await eventually('its workers have ended', () => !workers.some(isRunning));
  });

  it('says once why it cannot start', async () => {
    const other = await BuiltService.launch({ ...service.environment });
    expect(await other.ended).toBe(1);
    expect(other.output.match(/is taken/g)).toHaveLength(1);
  });

  it('drains all workers, and ends with 0', async () => {
    const draining = await BuiltService.start({
      ...service.environment,
      PORT: String(await freePort()),
      DRAIN_SECONDS: '2',
    });
    await eventually('all serve', async () => (await shown(draining)) === WORKERS, 60_000);
    const workers = workersOf(draining);
    draining.kill('SIGTERM');
    await eventually('it says that it stops', async () => (await ask(draining, '/readyz')) === 503);
    expect(new Set(await askOften(6, draining, '/healthz'))).toEqual(new Set([200]));
    expect(await draining.ended).toBe(0);
    expect(workers.filter(isRunning)).toEqual([]);
    expect(draining.output).not.toContain('is replaced');
  });
});
