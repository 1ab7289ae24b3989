import { setTimeout as sleep } from 'node:timers/promises';
import { imageSettings, podman, tryPodman } from './support/podman.js';
import { Stack, type ReplicaName } from './support/stack.js';

const CLIENTS = 6;
/** Between two steps of a client: 300 reads a minute, of the 1,000 that an account has. */
const PAUSE_MS = 200;
/** One step in so many is a refresh: clients of one address share its bucket of 120 a minute. */
const STEPS_PER_REFRESH = 20;

interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly sessionId: string;
}

describe('The stack of compose.yaml', () => {
  const stack = new Stack();
  beforeAll(() => stack.start(), 300_000);
  afterAll(() => stack.stop());

  it('registers a user, verifies them by the mailed link and signs them in', async () => {
    const person = { email: 'ada@example.com', password: 'quiet-harbour-42', firstName: 'Ada' };
    expect((await stack.post('register', person)).status).toBe(202);
    const token = await stack.mailedToken(person.email);
    const page = await fetch(`${stack.url}/verify-email?token=${token}`);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('html')]);
    expect((await stack.post('verify-email', { token })).status).toBe(204);
    const { accessToken } = await stack.login(person);
    const me = await stack.get('/api/v1/iam/me', accessToken);
    expect([me.status, me.body['email']]).toEqual([200, person.email]);
  });

  it('runs the service as process 1 of an unprivileged user without capabilities', async () => {
    const read = (file: string) => podman('exec', 'gatehouse-1', 'cat', `/proc/1/${file}`);
    const status = await read('status');
    const valueOf = (field: string) => new RegExp(`^${field}:\\s+(\\w+)`, 'm').exec(status)?.[1];
    expect((await read('cmdline')).split('\0')[0]).toBe('node');
    expect(['Uid', 'CapBnd', 'CapEff', 'NoNewPrivs'].map(valueOf)).toEqual([
      '1000',
      '0000000000000000',
      '0000000000000000',
      '1',
    ]);
  });

  it('lets the service write nowhere', async () => {
    const write =
      "try { fs.writeFileSync(process.argv[1], ''); } catch (e) { process.stdout.write(e.code); }";
    for (const path of ['/gatehouse/x', '/tmp/x', '/run/x', '/home/node/x'])
      expect([path, await podman('exec', '--user', '0', 'gatehouse-1', 'node', '-e', write, path)]).toEqual([
        path,
        'EROFS',
      ]);
  });

  it('passes its own health check, which a process that does not answer fails', async () => {
    const { Healthcheck } = await imageSettings('localhost/gatehouse');
    const words = Healthcheck.Test.slice(1);
    const healthy = await tryPodman('exec', 'gatehouse-1', ...words);
    const silent = await tryPodman('exec', '--env', 'PORT=1', 'gatehouse-1', ...words);
    expect([healthy.code, silent.code]).toEqual([0, 1]);
  });

  it('loses no request and no session while each replica is replaced under load', async () => {
    const accounts = await Promise.all(Array.from({ length: CLIENTS }, () => stack.register()));
    const sessions = await Promise.all(accounts.map((account) => stack.login(account)));
    const lost: string[] = [];
    const answered = { reads: 0, refreshes: 0 };
    let over = false;
    /** A client that reads, and refreshes its tokens now and then. */
    const use = async (session: Tokens): Promise<Tokens> => {
      let tokens = session;
      for (let step = 1; !over; step += 1) {
        const refresh = step % STEPS_PER_REFRESH === 0;
        const { status, body } = await (
          refresh
            ? stack.post('refresh', { refreshToken: tokens.refreshToken })
            : stack.get('/api/v1/iam/me', tokens.accessToken)
        ).catch((error: unknown) => ({ status: String(error), body: {} }));
        if (status === 200) answered[refresh ? 'refreshes' : 'reads'] += 1;
        else lost.push(`${refresh ? 'refresh' : 'read'}: ${status}`);
        if (refresh && status === 200) tokens = body as unknown as Tokens;
        await sleep(PAUSE_MS);
      }
      return tokens;
    };
    const clients = sessions.map(use);
    const codes: Partial<Record<ReplicaName, number>> = {};
    for (const replica of ['gatehouse-1', 'gatehouse-2'] as const) {
      codes[replica] = await stack.stopReplica(replica);
      await stack.startReplica(replica);
      await sleep(2_000); // the proxy asks twice a second
    }
    over = true;
    const last = await Promise.all(clients);
    process.stdout.write(`Answered while both replicas were replaced: ${JSON.stringify(answered)}.\n`);
    expect(lost).toEqual([]);
    expect(codes).toEqual({ 'gatehouse-1': 0, 'gatehouse-2': 0 });
    expect(Math.min(answered.reads, answered.refreshes)).toBeGreaterThan(CLIENTS);
    expect(last.map(({ sessionId }) => sessionId)).toEqual(sessions.map(({ sessionId }) => sessionId));
    for (const { refreshToken } of last)
      expect((await stack.post('refresh', { refreshToken })).status).toBe(200);
  }, 300_000);
});
