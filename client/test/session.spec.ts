import { Person } from '../../test/support/organization.js';
import { eventually, TestApp } from '../../test/support/test-app.js';
import { memoryStorage, ProblemError, SignedOutError } from '../src/index.js';
import { passTime, refusingTheFirst, TOKEN_LIFE_MS, WatchedClient } from './support.js';

const ME = '/api/v1/iam/me';

describe('Session of the client', () => {
  let app: TestApp;
  let ada: Person;
  beforeAll(async () => {
    app = await TestApp.start();
    ada = await Person.signUp(app);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  it('signs in and calls operations, typed by path', async () => {
    const client = new WatchedClient(app);
    expect(await client.isSignedIn()).toBe(false);
    await client.login(ada);
    expect(await client.isSignedIn()).toBe(true);
    const { data, status } = await client.get(ME);
    expect([status, data.email, data.id]).toEqual([200, ada.email, ada.id]);
    expect(client.events).toEqual([['signed-in', { sessionId: expect.any(String) }]]);
  });

  it('renews an expired token once for twenty concurrent calls', async () => {
    const client = new WatchedClient(app);
    await client.login(ada);
    passTime(TOKEN_LIFE_MS);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get(ME)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(client.refreshes).toBe(1);
  });

  it('renews a refused token once for twenty refused calls', async () => {
    const client = new WatchedClient(app, { fetch: refusingTheFirst() });
    await client.login(ada);
    const answers = await Promise.all(Array.from({ length: 20 }, () => client.get(ME)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(client.refreshes).toBe(1);
    expect(client.sent.filter((line) => line === `GET ${ME}`)).toHaveLength(40);
  });

  it('is shared by clients with the same storage', async () => {
    const storage = memoryStorage();
    const [one, other] = [new WatchedClient(app, { storage }), new WatchedClient(app, { storage })];
    await one.login(ada);
    for (let round = 0; round < 4; round += 1) {
      const answers = await Promise.all([one, other, one, other].map((client) => client.get(ME)));
      expect(answers.map(({ data }) => data.email)).toEqual(Array.from({ length: 4 }, () => ada.email));
      passTime(TOKEN_LIFE_MS);
    }
    await one.logout();
    await expect(other.get(ME)).rejects.toThrow(SignedOutError);
    expect(other.events).toContainEqual(['signed-out', { reason: 'logout' }]);
  });

  it('uses tokens that another client of a named storage has renewed', async () => {
    const storage = { name: 'a-name-of-this-spec', ...memoryStorage() };
    const clients = Array.from({ length: 5 }, () => new WatchedClient(app, { storage }));
    await clients[0]?.login(ada);
    await eventually('all have heard', () => clients.every(({ events }) => events.length > 0));
    passTime(TOKEN_LIFE_MS);
    await Promise.all(clients.map((client) => client.get(ME)));
    expect(clients.reduce((sum, { refreshes }) => sum + refreshes, 0)).toBeLessThanOrEqual(2); // messages arrive shortly after the lock is released
    await clients[0]?.logout();
    await eventually('all are signed out', () => clients.every(({ events }) => events.length > 1));
    for (const client of clients) {
      expect(client.events.at(-1)).toEqual(['signed-out', { reason: 'logout' }]);
      client.close();
    }
  });

  it('does not send a call for a user who has signed in instead', async () => {
    const storage = memoryStorage();
    const [stale, other] = [new WatchedClient(app, { storage }), new WatchedClient(app, { storage })];
    await stale.login(ada);
    const grace = await Person.signUp(app);
    await other.login(grace);
    passTime(TOKEN_LIFE_MS);
    const asked = stale.sent.length;
    await expect(stale.delete('/api/v1/iam/auth/account')).rejects.toThrow('replaced this session');
    expect(stale.sent).toHaveLength(asked);
    expect(stale.events.at(-1)).toEqual(['signed-in', { sessionId: expect.any(String) }]);
    expect((await stale.get(ME)).data.id).toBe(grace.id);
  });

  it('does not send a waiting call for a user who signs in instead', async () => {
    const kept = memoryStorage();
    let gate = Promise.resolve();
    let arrive = (): void => undefined;
    const write: typeof kept.write = async (session) => {
      arrive();
      await gate;
      await kept.write(session);
    };
    const storage = { ...kept, write, name: 'another-name-of-this-spec' };
    const clients = [new WatchedClient(app, { storage }), new WatchedClient(app, { storage })] as const;
    const [stale, other] = clients;
    await stale.login(ada);
    passTime(TOKEN_LIFE_MS);
    const grace = await Person.signUp(app);
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const arrived = new Promise<void>((done) => (arrive = done));
    const signingIn = other.login(grace);
    await arrived;
    const asked = stale.delete('/api/v1/iam/auth/account').catch((error: unknown) => error);
    resolve();
    await signingIn;
    expect(await asked).toBeInstanceOf(SignedOutError);
    expect((await other.get(ME)).data.id).toBe(grace.id);
    expect(stale.sent.filter((line) => line.startsWith('DELETE'))).toEqual([]);
    for (const client of clients) client.close();
  });

  it('does not sign out a later session', async () => {
    const storage = memoryStorage();
    const [stale, other] = [new WatchedClient(app, { storage }), new WatchedClient(app, { storage })];
    await stale.login(ada);
    await other.login(await Person.signUp(app));
    passTime(TOKEN_LIFE_MS);
    await stale.logout();
    expect((await other.get(ME)).status).toBe(200);
  });

  it('ends after reuse of a stolen refresh token, and emits an event', async () => {
    const storage = memoryStorage();
    const client = new WatchedClient(app, { storage });
    await client.login(ada);
    const stolen = (await storage.read())?.refreshToken;
    for (let round = 0; round < 2; round += 1) {
      passTime(TOKEN_LIFE_MS);
      await client.get(ME);
    }
    expect((await app.post('refresh', { refreshToken: stolen })).status).toBe(401);
    passTime(TOKEN_LIFE_MS);
    const error = await client.get(ME).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(SignedOutError);
    expect((error as Error).cause).toBeInstanceOf(ProblemError);
    expect((error as Error).cause).toMatchObject({ code: 'invalid-refresh-token', status: 401 });
    expect(client.events.at(-1)).toEqual(['signed-out', { reason: 'ended' }]);
    expect(await storage.read()).toBeNull();
  });
});
