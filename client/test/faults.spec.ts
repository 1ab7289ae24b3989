import { randomBytes } from 'node:crypto';
import { Person } from '../../test/support/organization.js';
import { TcpProxy } from '../../test/support/tcp-proxy.js';
import { createDatabase, eventually, TestApp } from '../../test/support/test-app.js';
import { ProblemError, UnreachableError } from '../src/index.js';
import { believing, passTime, TOKEN_LIFE_MS, WatchedClient } from './support.js';

const ME = '/api/v1/iam/me';
const REFRESH = '/api/v1/iam/auth/refresh';

describe('A client with an expired token', () => {
  let database: TcpProxy;
  let app: TestApp;
  let ada: Person;
  beforeAll(async () => {
    database = await TcpProxy.to(await createDatabase());
    const ROOT_SECRET = randomBytes(32).toString('base64');
    app = await TestApp.start({ DATABASE_URL: database.url, ROOT_SECRET });
    ada = await Person.signUp(app);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await app.stop();
    await database.close();
  });

  /** A client that is signed in with an expired token. */
  const stale = async (network?: typeof fetch): Promise<WatchedClient> => {
    const client = new WatchedClient(app, network && { fetch: network });
    await client.login(ada);
    passTime(TOKEN_LIFE_MS);
    return client;
  };
  const isRefresh = (input: RequestInfo | URL) => (input as Request).url.endsWith(REFRESH);
  const isSignedIn = async (client: WatchedClient) => (await client.get(ME)).data.email === ada.email;

  it('stays signed in after a 503 during the refresh', async () => {
    const client = await stale();
    await database.cut();
    const asked = client.get(ME);
    await eventually('the client to refresh', () => client.refreshes > 0);
    await database.mend();
    expect((await asked).data.email).toBe(ada.email);
    expect(client.events).toHaveLength(1);
  });

  it('stays signed in after the response to the refresh is lost, and presents the same token again', async () => {
    const bodies: string[] = [];
    const client = await stale(async (input, init) => {
      if (isRefresh(input)) bodies.push(await (input as Request).clone().text());
      const response = await fetch(input, init);
      if (isRefresh(input) && bodies.length === 1) throw new TypeError('fetch failed');
      return response;
    });
    expect(await isSignedIn(client)).toBe(true);
    expect(bodies).toHaveLength(2);
    expect(bodies[1]).toBe(bodies[0]);
  });

  it('stays signed in if a proxy answers instead of the service', async () => {
    let times = 0;
    const client = await stale((input, init) => {
      if (!isRefresh(input) || ++times > 2) return fetch(input, init);
      return Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    });
    expect(await isSignedIn(client)).toBe(true);
    expect(times).toBe(3);
  });

  it('stops waiting when the caller aborts, and is signed in once the service is back', async () => {
    const client = await stale();
    await database.cut();
    const aborted = client.get(ME, { signal: AbortSignal.timeout(500) });
    await expect(aborted).rejects.toMatchObject({ name: 'TimeoutError' });
    await database.mend();
    expect(await isSignedIn(client)).toBe(true);
  });

  it('throws the retry delay if it exceeds the maximum wait', async () => {
    const away = { status: 503, headers: { 'retry-after': '60' } };
    const client = await stale((input, init) =>
      isRefresh(input) ? Promise.resolve(new Response('', away)) : fetch(input, init),
    );
    const error = await client.get(ME).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnreachableError);
    expect(error).toMatchObject({ retryAfterSeconds: 60 });
    expect(await client.isSignedIn()).toBe(true);
  });

  it('repeats a read until the database is back', async () => {
    const client = new WatchedClient(app);
    await client.login(ada);
    await database.cut();
    const asked = client.get(ME);
    const reads = () => client.sent.filter((line) => line === `GET ${ME}`).length;
    await eventually('the client to read again', () => reads() > 1);
    await database.mend();
    expect((await asked).data.email).toBe(ada.email);
  });

  it('throws UnreachableError if the service does not respond', async () => {
    const client = new WatchedClient(app, { fetch: () => Promise.reject(new TypeError('fetch failed')) });
    await expect(client.login(ada)).rejects.toThrow(UnreachableError);
    await expect(client.login(ada, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow(
      'enough',
    );
  });

  it('throws the rate limit of refreshes and stays signed in', async () => {
    const limited = await TestApp.start({ RATE_REFRESH: '1' });
    try {
      const client = new WatchedClient(limited, { fetch: believing(0) }); // refreshes for each call
      await client.login(await limited.register());
      await client.get(ME);
      const error = await client.get(ME).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(ProblemError);
      expect(error).toMatchObject({
        code: 'too-many-requests',
        status: 429,
        retryAfterSeconds: expect.any(Number),
        rateLimit: { limit: 1, remaining: 0, reset: expect.any(Date) },
      });
      expect(await client.isSignedIn()).toBe(true);
    } finally {
      await limited.stop();
    }
  });
});
