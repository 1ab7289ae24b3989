import { Organization, Person, type Member } from '../../test/support/organization.js';
import { TestApp } from '../../test/support/test-app.js';
import {
  memoryStorage,
  ProblemError,
  type GatehouseOptions,
  type TenantStorage,
  type TokenStorage,
} from '../src/index.js';
import { passTime, TOKEN_LIFE_MS, WatchedClient } from './support.js';

const TENANT = '/api/v1/iam/tenants/{id}';

describe('Tenants of the client', () => {
  let app: TestApp;
  let ada: Person;
  let harbour: Organization;
  let depot: Organization;
  beforeAll(async () => {
    app = await TestApp.start();
    ada = await Person.signUp(app);
    harbour = await Organization.found(app, ada);
    depot = await Organization.found(app, ada);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => app.stop());

  const read = async (client: WatchedClient, { id }: Organization) =>
    (await client.get(TENANT, { params: { path: { id } } })).data.id;
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => error as ProblemError,
    );

  it('are selected by tab, in the same session', async () => {
    const storage = memoryStorage();
    const [one, other, third] = Array.from({ length: 3 }, () => new WatchedClient(app, { storage })) as [
      WatchedClient,
      WatchedClient,
      WatchedClient,
    ];
    await one.login(ada);
    expect(await one.selectTenant(harbour.id)).toBe(harbour.id);
    expect(await other.selectTenant(depot.id)).toBe(depot.id);
    for (let round = 0; round < 3; round += 1) {
      expect(await Promise.all([read(one, harbour), read(other, depot)])).toEqual([harbour.id, depot.id]);
      expect(await refusal(read(one, depot))).toMatchObject({ code: 'not-found' });
      expect(await refusal(read(third, harbour))).toMatchObject({
        code: 'forbidden',
        denial: 'tenant_required',
      });
      passTime(TOKEN_LIFE_MS);
    }
    expect([one.tenantId, other.tenantId, third.tenantId]).toEqual([harbour.id, depot.id, null]);
    expect(await one.selectTenant(null)).toBeNull();
    expect(one.events.filter(([name]) => name === 'tenant')).toEqual([
      ['tenant', { tenantId: harbour.id }],
      ['tenant', { tenantId: null }],
    ]);
  });

  it('can be set at the start, before and after the sign-in', async () => {
    const storage = memoryStorage();
    const first = new WatchedClient(app, { storage, tenantId: harbour.id });
    await first.login(ada);
    expect(await read(first, harbour)).toBe(harbour.id);
    const next = new WatchedClient(app, { storage, tenantId: depot.id });
    expect(await read(next, depot)).toBe(depot.id);
  });

  it('do not change for a caller who is not a member, who stays signed in', async () => {
    const stranger = await Organization.found(app);
    const client = new WatchedClient(app);
    await client.login(ada);
    await client.selectTenant(harbour.id);
    expect(await refusal(client.selectTenant(stranger.id))).toMatchObject({
      code: 'not-a-member',
      status: 403,
    });
    expect(client.tenantId).toBe(harbour.id);
    expect(await read(client, harbour)).toBe(harbour.id);
  });

  it('do not receive calls that were made for the previous one', async () => {
    const client = new WatchedClient(app);
    await client.login(ada);
    await client.selectTenant(harbour.id);
    passTime(TOKEN_LIFE_MS);
    const moving = client.selectTenant(depot.id);
    const asked = client.get('/api/v1/iam/me');
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(await moving).toBe(depot.id);
    expect(client.sent).not.toContain('GET /api/v1/iam/me');
    expect(await read(client, depot)).toBe(depot.id);
  });

  describe('after a reload', () => {
    let storage: TokenStorage;
    let tenantStorage: TenantStorage;
    let before: WatchedClient;
    const reload = (options: Partial<GatehouseOptions> = {}) =>
      new WatchedClient(app, { storage, tenantStorage, ...options });
    beforeEach(async () => {
      storage = memoryStorage();
      tenantStorage = tabStorage();
      before = reload();
      await before.login(ada);
      await before.selectTenant(harbour.id);
    });

    it('are selected again, in the first request', async () => {
      const after = reload();
      expect(after.tenantId).toBe(harbour.id);
      expect(await read(after, harbour)).toBe(harbour.id);
      expect(after.refreshes).toBe(1);
      await after.selectTenant(depot.id);
      expect(reload().tenantId).toBe(depot.id);
      await after.selectTenant(null);
      expect(reload().tenantId).toBeNull();
    });

    it('give way to the option', async () => {
      expect(reload({ tenantId: null }).tenantId).toBeNull();
      const given = reload({ tenantId: depot.id });
      expect(await read(given, depot)).toBe(depot.id);
      expect(reload().tenantId).toBe(depot.id);
    });

    it('are forgotten without a storage, and where the browser blocks it', async () => {
      const block = () => {
        throw new Error('blocked');
      };
      for (const blocked of [null, { getItem: block, setItem: block, removeItem: block }]) {
        const client = reload({ tenantStorage: blocked });
        expect(client.tenantId).toBeNull();
        expect(await client.selectTenant(depot.id)).toBe(depot.id);
      }
      expect(reload().tenantId).toBe(harbour.id);
    });

    it('are ignored if the storage has something else', () => {
      for (const other of ['', 'null', '7', '{', '{"sessionId":1,"tenantId":2}', '{"tenantId":"x"}']) {
        tenantStorage.setItem('gatehouse.tenant.', other);
        expect(reload().tenantId).toBeNull();
      }
    });

    it('are removed by a logout', async () => {
      await before.logout();
      expect(tenantStorage.getItem('gatehouse.tenant.')).toBeNull();
      expect(reload().tenantId).toBeNull();
    });

    it('are not those of another session', async () => {
      const grace = await Person.signUp(app);
      await new WatchedClient(app, { storage }).login(grace);
      for (const learn of [
        (client: WatchedClient) => client.isSignedIn(),
        (client: WatchedClient) => client.login(grace),
        (client: WatchedClient) => client.selectTenant(null),
      ]) {
        tenantStorage.setItem(
          'gatehouse.tenant.',
          JSON.stringify({ sessionId: before.sessionId, tenantId: harbour.id }),
        );
        const client = reload();
        expect(client.tenantId).toBe(harbour.id);
        await learn(client);
        expect(client.tenantId).toBeNull();
        expect(client.events).toContainEqual(['tenant', { tenantId: null }]);
        expect((await client.get('/api/v1/iam/me')).data.id).toBe(grace.id);
        expect(tenantStorage.getItem('gatehouse.tenant.')).toBeNull();
      }
    });

    it('are not sent for another session', async () => {
      await new WatchedClient(app, { storage }).login(await Person.signUp(app));
      const client = reload();
      expect((await refusal(client.get('/api/v1/iam/me'))) as unknown).toMatchObject({ name: 'AbortError' });
      expect(client.sent).toEqual(['POST /api/v1/iam/auth/refresh']);
      expect((await client.get('/api/v1/iam/me')).status).toBe(200);
    });

    it('are not those of a session that has ended', async () => {
      await storage.write(null);
      const client = reload();
      expect(await client.isSignedIn()).toBe(false);
      expect(client.tenantId).toBeNull();
    });
  });

  describe('after the membership ends', () => {
    let grace: Member;
    let client: WatchedClient;
    beforeEach(async () => {
      grace = await harbour.join('member');
      client = new WatchedClient(app);
      await client.login(grace.person);
      await client.selectTenant(harbour.id);
      await harbour.call('DELETE', `/members/${grace.person.id}`);
    });

    it('are cleared by an event, without a call in another tenant', async () => {
      const asked = client.sent.length;
      expect(await refusal(read(client, harbour))).toMatchObject({ code: 'not-a-member' });
      expect(client.sent.slice(asked).filter((line) => line.startsWith('GET'))).toHaveLength(1);
      expect(client.events.at(-1)).toEqual(['tenant', { tenantId: null }]);
      expect((await client.get('/api/v1/iam/me')).data.id).toBe(grace.person.id);
    });
  });
});

/** A storage as a browser has for each tab. */
function tabStorage(): TenantStorage {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}
