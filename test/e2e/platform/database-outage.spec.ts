import { randomBytes } from 'node:crypto';
import { BuiltService, PROGRAM, runBuilt } from '../../support/built-service.js';
import { TcpProxy } from '../../support/tcp-proxy.js';
import { createDatabase, eventually, TestApp, type Answer } from '../../support/test-app.js';

const AUTH = '/api/v1/iam/auth';
const ME = '/api/v1/iam/me';
const registration = { email: 'new@example.com', password: 'quiet-harbour-42', firstName: 'Ada' };
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Two replicas on one database; one of them reaches it over a network that breaks. */
describe('While the database is out of reach', () => {
  let proxy: TcpProxy;
  let here: BuiltService;
  let other: TestApp;
  let account: { email: string; password: string };
  let session: { accessToken: string; refreshToken: string };
  beforeAll(async () => {
    const DATABASE_URL = await createDatabase();
    proxy = await TcpProxy.to(DATABASE_URL);
    const ROOT_SECRET = randomBytes(32).toString('base64');
    here = await BuiltService.start({ DATABASE_URL: proxy.url, ROOT_SECRET });
    const { DATA_DIR = '' } = here.environment;
    other = await TestApp.start({ DATABASE_URL, ROOT_SECRET, DATA_DIR });
    account = await other.register();
  });
  beforeEach(async () => {
    session = await here.login(account);
  });
  afterAll(async () => {
    const code = await here.stop();
    if (code !== 0) process.stderr.write(here.output.slice(-4_000));
    expect(code).toBe(0);
    await other.stop();
    await proxy.close();
  });

  const requests = (): [string, string, object?][] => [
    ['POST', `${AUTH}/register`, registration],
    ['POST', `${AUTH}/verify-email`, { token: 'x' }],
    ['POST', `${AUTH}/resend-verification`, { email: account.email }],
    ['POST', `${AUTH}/login`, account],
    ['POST', `${AUTH}/refresh`, { refreshToken: session.refreshToken }],
    ['POST', `${AUTH}/request-password-reset`, { email: account.email }],
    ['POST', `${AUTH}/reset-password`, { token: 'x', newPassword: 'quiet-harbour-42' }],
    ['POST', `${AUTH}/logout`],
    ['POST', `${AUTH}/logout-all`],
    ['POST', `${AUTH}/logout-others`],
    ['DELETE', `${AUTH}/account`],
    ['GET', ME],
    ['PATCH', ME, { firstName: 'Grace' }],
    ['PUT', `${ME}/password`, { currentPassword: account.password, newPassword: 'a-new-harbour-7' }],
    ['GET', `${ME}/sessions`],
    ['DELETE', `${ME}/sessions/${ULID}`],
  ];
  const publicRoute = (path: string, body?: object) => path.startsWith(AUTH) && body !== undefined;

  async function expectUnavailable(method: string, path: string, body?: object): Promise<void> {
    const token = publicRoute(path, body) ? {} : { token: session.accessToken };
    const began = Date.now();
    const answer: Answer = await here.call(method, path, body, token);
    expect({ method, path, ...answer }).toMatchObject({ method, path, status: 503 });
    expect(answer.body).toMatchObject({ type: '/errors/unavailable', status: 503 });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect({ path, inTime: Date.now() - began < 3_500 }).toEqual({ path, inTime: true });
  }

  /**
   * Expects recovery within five seconds, with the change feed, without which caches are not used.
   */
  async function expectRecovery(): Promise<void> {
    const works = async () => (await here.get(ME, session.accessToken)).status === 200;
    await eventually('requests are answered', works, 5_000);
    const feeds = () =>
      other.sql(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'gatehouse-feed' AND datname = current_database()",
      );
    await eventually('both replicas listen', async () => (await feeds()).length === 2, 5_000);
    expect((await here.call('GET', '/readyz')).status).toBe(200);
    await here.login(account);
    expect((await here.get(ME, session.accessToken)).status).toBe(200);
    expect((await other.post('logout', undefined, { token: session.accessToken })).status).toBe(204);
    const ended = async () => (await here.get(ME, session.accessToken)).status === 401;
    await eventually('the logout at the other replica applies here', ended, 1_000);
  }

  it.each([
    ['refuses connections', () => proxy.cut()],
    ['does not answer', async () => proxy.swallow()],
  ])('answers 503 when it %s, never 401, and goes on afterwards', async (_how, breakNetwork) => {
    expect((await here.get(ME, session.accessToken)).status).toBe(200);
    await breakNetwork();
    const unavailable = async () => (await here.get(ME, session.accessToken)).status === 503;
    await eventually('nothing is answered from memory any more', unavailable, 5_000);
    for (const round of ['all at once', 'and again']) {
      await Promise.all(requests().map((request) => expectUnavailable(...request)));
      const started = Date.now();
      expect({ round, status: (await here.call('GET', '/healthz')).status }).toEqual({
        round,
        status: 200,
      });
      expect(Date.now() - started).toBeLessThan(1_000);
      expect((await here.call('GET', '/readyz')).status).toBe(503);
      expect((await here.call('GET', '/.well-known/jwks.json')).status).toBe(200);
    }
    await proxy.mend();
    await expectRecovery();
  });

  it('survives the end of all its connections', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 5; round += 1) {
      const running = requests().filter(([method]) => method === 'GET');
      const answers = running.map(([method, path]) =>
        here.call(method, path, undefined, { token: session.accessToken }),
      );
      await other.sql(
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      );
      for (const { status } of await Promise.all(answers)) statuses.add(status);
    }
    expect([200, 503]).toEqual(expect.arrayContaining([...statuses]));
    await expectRecovery();
  });

  it('takes up its jobs again', async () => {
    await other.app.close();
    await here.post('request-password-reset', { email: account.email });
    // A mail whose job the outage interrupted may come once more.
    const isMailed = async () =>
      (await here.mails(account.email)).some((mail) => mail.includes('Reset your password'));
    await eventually('the link is mailed', isMailed);
  });
});

describe('A start without the database', () => {
  it.each([
    ['refuses connections', (proxy: TcpProxy) => proxy.cut()],
    ['does not answer', async (proxy: TcpProxy) => proxy.swallow()],
  ])('fails when it %s, and says why', async (_how, breakNetwork) => {
    const proxy = await TcpProxy.to('postgres://gatehouse:secret@127.0.0.1:1/gatehouse');
    const DATABASE_URL = proxy.url;
    await breakNetwork(proxy);
    const ROOT_SECRET = randomBytes(32).toString('base64');
    const environment = { PORT: '0', DATABASE_URL, ROOT_SECRET };
    const { code, stdout, stderr } = await runBuilt(PROGRAM, [], environment);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /^Migrating the database \.\.\.\nGatehouse could not start: the database at 127\.0\.0\.1:\d+ does not answer \((ECONNREFUSED|timeout expired)\)\.\n$/,
    );
    await proxy.close();
  });
});
