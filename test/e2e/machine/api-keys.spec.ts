import { createApiKey } from '../../../src/platform/crypto/index.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { Database } from '../../../src/platform/database/index.js';
import { startDeletion } from '../../support/deletion.js';
import { TestTotp } from '../../support/factors.js';
import { Organization, type Member } from '../../support/organization.js';
import { statementsOf } from '../../support/plans.js';
import { Replicas } from '../../support/replicas.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';

describe('API keys', () => {
  let replicas: Replicas;
  let app: TestApp;
  let other: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    replicas = await Replicas.start({ TRUSTED_PROXIES: '127.0.0.1' });
    ({ app, other } = replicas);
  });
  afterAll(() => replicas.stop());
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  interface Key {
    readonly id: string;
    readonly accountId: string;
    readonly key: string;
  }
  const account = async (...roles: string[]): Promise<string> =>
    String((await organization.call('POST', '/service-accounts', { name: 'Export', roles })).body['id']);
  const createKey = async (accountId: string, given: object = {}): Promise<Key> => {
    const path = `/service-accounts/${accountId}/keys`;
    const { status, body } = await organization.call('POST', path, { name: 'Nightly', ...given });
    expect([status, body]).toEqual([201, expect.anything()]);
    return { id: String(body['id']), accountId, key: String(body['key']) };
  };
  const newKey = async (given: object = {}, role = 'admin') => createKey(await account(role), given);
  const use = (key: string, at = app, headers: Record<string, string> = {}) =>
    at.call('GET', ME, undefined, { token: key, headers });
  const readMembers = (key: string, at = app) => at.get(`${organization.path}/members`, key);
  /** Exchanges a key for a token, from an address. */
  const exchange = async (key: string, forwarded: string): Promise<string> => {
    const response = await fetch(`${app.url}/oauth2/token`, {
      method: 'POST',
      headers: { 'x-forwarded-for': forwarded },
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        subject_token: key,
      }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const refusedBy = async (at: TestApp, key: string): Promise<void> =>
    eventually('the key is refused', async () => (await use(key, at)).status === 401);
  /** Counts the statements of work on tables that a request by a key can concern. */
  /** Number of statements that look for a caller, without the one that notes the last use. */
  const lookupsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const statements = await statementsOf(work);
    return statements.filter(
      ([sql]) =>
        /machine_credentials|service_accounts|tenants|roles|sessions/.test(sql) &&
        !sql.includes('last_used_at ='),
    ).length;
  };

  it('work at once, on both replicas, and say who they are', async () => {
    const { key, accountId } = await newKey();
    expect(key).toMatch(/^gh_sa_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
    for (const at of [app, other])
      expect(await use(key, at)).toMatchObject({
        status: 200,
        body: {
          id: accountId,
          kind: 'service',
          service: { name: 'Export', tenantId: organization.id, roles: ['admin'] },
        },
      });
    expect((await readMembers(key)).status).toBe(200);
  });

  it('are shown once', async () => {
    const { id, key, accountId } = await newKey();
    const listed = await organization.call('GET', `/service-accounts/${accountId}/keys`);
    expect(itemsOf(listed)).toEqual([expect.objectContaining({ id, hint: key.slice(0, 16), networks: [] })]);
    expect(JSON.stringify(listed.body)).not.toContain(key.slice(17, 49));
    const rows = await app.sql('SELECT * FROM machine_credentials');
    expect(JSON.stringify(rows)).not.toContain(key.slice(17, 49));
  });

  it('end after 90 days unless another time is given', async () => {
    const accountId = await account('member');
    const day = 86_400_000;
    for (const [given, days] of [
      [{}, 90],
      [{ expiresAt: new Date(Date.now() + 30 * day).toISOString() }, 30],
    ] as const) {
      const { body } = await organization.call('POST', `/service-accounts/${accountId}/keys`, {
        name: 'Nightly',
        ...given,
      });
      expect(Math.round((Date.parse(String(body['expiresAt'])) - Date.now()) / day)).toBe(days);
    }
    const never = { name: 'Nightly', expiresAt: null };
    const { body } = await organization.call('POST', `/service-accounts/${accountId}/keys`, never);
    expect(body['expiresAt']).toBeNull();
    const expiresAt = new Date(Date.now() + 6 * day).toISOString();
    await createKey(accountId, { expiresAt });
    const announced = 'SELECT count(warn_at)::int AS count FROM machine_credentials WHERE owner_id = $1';
    expect(await app.sql(announced, [accountId])).toEqual([{ count: 2 }]); // not those of never and of six days
  });

  it('are refused without a statement if a character is wrong', async () => {
    const { key } = await newKey();
    const flipped = [6, 20, 45, 52].map((at) => {
      const character = key[at] === 'a' ? 'b' : 'a';
      return `${key.slice(0, at)}${character}${key.slice(at + 1)}`;
    });
    const spellings = [...flipped, key.slice(0, -1), `${key}a`, key.toLowerCase(), 'gh_sa_', 'gh_'];
    const statements = await lookupsOf(async () => {
      for (const one of spellings) expect((await use(one)).status).toBe(401);
    });
    expect(statements).toBe(0);
    // A well-spelled one is looked for: the count sees it.
    const { plainKey } = createApiKey('sa');
    expect(await lookupsOf(() => use(plainKey))).toBeGreaterThan(0);
  });

  it('are refused with the right spelling if they are unknown, or have another secret or kind', async () => {
    const { key } = await newKey();
    const { plainKey: unknown } = createApiKey('sa');
    expect((await use(unknown)).status).toBe(401);
    await app.sql('UPDATE machine_credentials SET lookup = $1 WHERE lookup = $2', [
      unknown.slice(6, 16),
      key.slice(6, 16),
    ]);
    expect((await use(unknown)).status).toBe(401);
    for (const kind of ['me', 'scim', 'setup'] as const)
      expect((await use(createApiKey(kind).plainKey)).status).toBe(401);
  });

  it('are refused if owner, kind or organization do not fit together', async () => {
    const member = await organization.join('member');
    const foreign = await Organization.found(app);
    const { key, id } = await newKey();
    const set = (columns: string, ...values: string[]) =>
      app.sql(`UPDATE machine_credentials SET ${columns} WHERE id = $1`, [id, ...values]);
    await set("owner_kind = 'person', owner_id = $2", member.person.id);
    expect((await use(key)).status).toBe(401);
    const moved = await newKey();
    await app.sql('UPDATE machine_credentials SET tenant_id = $2 WHERE id = $1', [moved.id, foreign.id]);
    expect((await app.get(`${foreign.path}/members`, moved.key)).status).toBe(401);
  });

  it('are refused once the deletion of the organization has started', async () => {
    const { key } = await newKey();
    expect((await use(key)).status).toBe(200);
    await startDeletion(app, organization.id);
    await eventually('the key is refused', async () => (await use(key)).status === 401, 10_000);
  });

  it('cannot end before they begin', async () => {
    const accountId = await account('admin');
    const expiresAt = new Date(Date.now() - 1_000).toISOString();
    const past = await organization.call('POST', `/service-accounts/${accountId}/keys`, {
      name: 'Past',
      expiresAt,
    });
    expect([past.status, past.body['violations']]).toEqual([
      400,
      [{ propertyPath: 'expiresAt', message: 'must be in the future' }],
    ]);
  });

  it('of another account are not revoked by its path', async () => {
    const { key, id } = await newKey();
    const other = await account('admin');
    const revoke = (accountId: string) =>
      organization.call('DELETE', `/service-accounts/${accountId}/keys/${id}`);
    expect((await revoke(other)).status).toBe(404);
    expect((await use(key)).status).toBe(200);
  });

  it('are listed for a year after their end, with who ended them and why', async () => {
    const accountId = await account('admin');
    const path = `/service-accounts/${accountId}`;
    const create = (name: string) => createKey(accountId, { name, networks: ['203.0.113.0/24'] });
    const [first, second, third] = [await create('First'), await create('Second'), await create('Third')];
    const { person, token } = await organization.join('admin');
    const listed = async () => itemsOf(await organization.call('GET', `${path}/ended-keys`));
    expect(await listed()).toEqual([]);

    expect((await organization.call('DELETE', `${path}/keys/${first.id}`, undefined, token)).status).toBe(
      204,
    );
    const names = ['--organization', organization.id, '--service-account', accountId];
    await app.command('key:revoke', ...names, '--key', second.id);
    expect((await app.call('POST', '/api/v1/iam/leaked-keys', { key: third.key })).status).toBe(202);

    const unnamed = { endedBy: null, endedByName: null };
    expect(await listed()).toMatchObject([
      { id: third.id, name: 'Third', reason: 'leaked', ...unnamed },
      { id: second.id, name: 'Second', reason: 'operator', ...unnamed },
      { id: first.id, name: 'First', reason: 'revoked', endedBy: person.id, networks: ['203.0.113.0/24'] },
    ]);
    const [, , oldest] = (await listed()) as { hint: string; endedByName: string }[];
    expect(first.key.startsWith(String(oldest?.hint))).toBe(true);
    expect(oldest?.endedByName).toBe('Ada');
    const other = `/service-accounts/${await account('admin')}/ended-keys`;
    expect(itemsOf(await organization.call('GET', other))).toEqual([]);
    const page = await organization.call('GET', `${path}/ended-keys?limit=2`);
    const next = await organization.call(
      'GET',
      `${path}/ended-keys?limit=2&cursor=${String(page.body['nextCursor'])}`,
    );
    expect([...itemsOf<object>(page), ...itemsOf<object>(next)]).toEqual(await listed());
    const events = itemsOf(await organization.call('GET', '/audit-events?action=key.revoked'));
    expect(events).toMatchObject([{ subjectName: 'Second' }, { subjectName: 'First' }]);

    await app.sql("UPDATE ended_keys SET ended_at = now() - interval '364 days' WHERE id = $1", [first.id]);
    await app.sql("UPDATE ended_keys SET ended_at = now() - interval '366 days' WHERE id <> $1", [first.id]);
    await app.app.get(CleanupService, { strict: false }).run();
    expect(await listed()).toMatchObject([{ id: first.id }]);
  });

  it('of people, and client secrets, are not among the revoked keys', async () => {
    const accountId = await account('admin');
    const path = `/service-accounts/${accountId}`;
    const { body } = await organization.call('POST', `${path}/credentials`, { kind: 'secret', name: 'Job' });
    await organization.call('DELETE', `${path}/credentials/${String(body['id'])}`);
    const { token } = organization.owner.person;
    const own = await app.call(
      'POST',
      `${ME}/keys`,
      { tenantId: organization.id, name: 'Laptop' },
      { token },
    );
    await app.call('POST', '/api/v1/iam/leaked-keys', { key: String(own.body['key']) });
    expect((await app.get(ME, String(own.body['key']))).status).toBe(401);
    expect(await app.sql('SELECT 1 FROM ended_keys WHERE tenant_id = $1', [organization.id])).toEqual([]);
  });

  it('cost no statement once they are in use', async () => {
    const { key } = await newKey();
    await use(key);
    await readMembers(key);
    expect(await lookupsOf(() => app.post('select-tenant', {}, { token: key }))).toBe(0);
    const byKey = await lookupsOf(() => readMembers(key));
    await readMembers(organization.owner.token);
    expect(byKey).toBe(await lookupsOf(() => readMembers(organization.owner.token)));
  });

  it('end on the other replica by revocation, disabling, deletion, archiving and expiry', async () => {
    const accounts = (below: string, method = 'POST') =>
      organization.call(method, `/service-accounts/${below}`);
    const ways: readonly ((key: Key) => Promise<unknown>)[] = [
      ({ id, accountId }) => accounts(`${accountId}/keys/${id}`, 'DELETE'),
      ({ accountId }) => accounts(`${accountId}/disable`),
      ({ accountId }) => accounts(accountId, 'DELETE'),
      async () => organization.call('POST', '/archive'),
    ];
    for (const end of ways) {
      const key = await newKey();
      expect((await use(key.key, other)).status).toBe(200);
      await end(key);
      expect((await use(key.key)).status).toBe(401);
      await refusedBy(other, key.key);
    }
    await organization.call('POST', '/restore');
    const soon = await newKey({ expiresAt: new Date(Date.now() + 60_000).toISOString() });
    expect((await use(soon.key)).status).toBe(200);
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 61_000);
    expect((await use(soon.key)).status).toBe(401);
    now.mockRestore();
  });

  it('lose with a role what it gave', async () => {
    const { key, accountId } = await newKey();
    expect((await readMembers(key, other)).status).toBe(200);
    await organization.call('POST', '/roles', { key: 'idle', name: 'Idle', scopes: [] });
    await organization.call('PATCH', `/service-accounts/${accountId}`, { roles: ['idle'] });
    const denied = { status: 403, body: { code: 'scope_not_held' } };
    expect(await readMembers(key)).toMatchObject(denied);
    await eventually('the role is gone', async () => (await readMembers(key, other)).status === 403);
  });

  it('can be limited to scopes that the roles include', async () => {
    const accountId = await account('admin');
    const { key } = await createKey(accountId, { scopes: ['iam:service-account:read'] });
    expect(await readMembers(key)).toMatchObject({
      status: 403,
      body: { detail: 'This key does not have this permission. The roles of its account may.' },
    });
    expect((await app.get(`${organization.path}/service-accounts`, key)).status).toBe(200);
    const scopes = ['iam:member:read', 'iam:tenant:archive', 'iam:api-key:create'];
    const refused = await organization.call('POST', `/service-accounts/${accountId}/keys`, {
      name: 'More',
      scopes,
    });
    expect(refused.body['violations']).toEqual([
      expect.objectContaining({ propertyPath: 'scopes[1]' }),
      expect.objectContaining({ propertyPath: 'scopes[2]' }),
    ]);
  });

  it('can be limited to networks, behind a proxy that is trusted', async () => {
    const { key } = await newKey({ networks: ['203.0.113.0/24', '2001:db8::/32'] });
    const from = async (forwarded: string) => (await use(key, app, { 'x-forwarded-for': forwarded })).status;
    expect(await from('203.0.113.9')).toBe(200);
    expect(await from('2001:db8:1::9')).toBe(200);
    expect(await from('198.51.100.9')).toBe(401);
    expect(await from('203.0.113.9, 198.51.100.9')).toBe(401); // the client's own header
    expect((await use(key)).status).toBe(401);
    const token = await exchange(key, '203.0.113.9');
    const byToken = async (forwarded: string) =>
      (await use(token, app, { 'x-forwarded-for': forwarded })).status;
    expect(await byToken('203.0.113.9')).toBe(200);
    expect(await byToken('198.51.100.9')).toBe(401);
    const accountId = await account('member');
    const given = { name: 'Bad', networks: ['203.0.113.0/24', '203.0.113.0/33', '10'] };
    const { body } = await organization.call('POST', `/service-accounts/${accountId}/keys`, given);
    expect(body['violations']).toEqual([
      expect.objectContaining({ propertyPath: 'networks[1]' }),
      expect.objectContaining({ propertyPath: 'networks[2]' }),
    ]);
  });

  it('reach no other organization, and select none', async () => {
    const { key } = await newKey();
    const foreign = await Organization.found(app);
    expect((await app.get(`${foreign.path}/members`, key)).status).toBe(404);
    const selected = await app.post('select-tenant', { tenantId: foreign.id }, { token: key });
    expect(selected).toMatchObject({
      status: 403,
      body: { detail: 'This is for people. A service account cannot do it.' },
    });
  });

  it('are created by those who hold what the account holds, and have signed in recently', async () => {
    const accountId = await account('admin');
    const scopes = ['iam:api-key:create', 'iam:api-key:revoke', 'iam:api-key:read'];
    await organization.call('POST', '/roles', { key: 'keeper', name: 'Keeper', scopes });
    const keeper: Member = await organization.join('keeper');
    const path = `/service-accounts/${accountId}/keys`;
    const create = () => organization.call('POST', path, { name: 'Mine' }, keeper.token);
    expect(await create()).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    const { id } = await createKey(accountId);
    expect((await organization.call('DELETE', `${path}/${id}`, undefined, keeper.token)).status).toBe(204);
    const own = await account('member');
    expect((await organization.call('DELETE', `/service-accounts/${own}/keys/${id}`)).status).toBe(404);
  });

  it('stay when their creator loses the roles, and the audit trail names the creator', async () => {
    const { person, token } = await organization.join('admin');
    const given = { name: 'Export', roles: ['admin'] };
    const made = await organization.call('POST', '/service-accounts', given, token);
    const path = `/service-accounts/${String(made.body['id'])}/keys`;
    const { body } = await organization.call('POST', path, { name: 'Nightly' }, token);
    await organization.call('PATCH', `/members/${person.id}`, { roles: ['member'] });
    expect((await organization.call('GET', path, undefined, token)).status).toBe(403);
    expect((await readMembers(String(body['key']))).status).toBe(200);
    const events = await organization.call('GET', '/audit-events?action=key.created');
    expect(itemsOf(events)).toMatchObject([{ actorId: person.id }]);
  });

  it('are at most ten that live', async () => {
    const accountId = await account('member');
    for (let n = 0; n < 10; n++) await createKey(accountId);
    const more = await organization.call('POST', `/service-accounts/${accountId}/keys`, { name: 'More' });
    expect(more.status).toBe(409);
    await app.sql(
      "UPDATE machine_credentials SET expires_at = now() - interval '1 day' WHERE owner_id = $1",
      [accountId],
    );
    await createKey(accountId);
  });

  it('note their last use', async () => {
    const { key, accountId } = await newKey();
    const unused = await createKey(accountId);
    await use(key);
    const read = async () => (await organization.call('GET', `/service-accounts/${accountId}`)).body;
    await eventually('the use is noted', async () => (await read())['lastUsedAt'] !== null);
    const rows = itemsOf<object>(await organization.call('GET', `/service-accounts/${accountId}/keys`));
    expect(rows).toMatchObject([{ lastUsedAt: expect.any(String) }, { id: unused.id, lastUsedAt: null }]);
  });

  it('are refused twice in one request, and with a database that is away answer 503', async () => {
    const { key } = await newKey();
    const headers = new Headers([
      ['authorization', `Bearer ${key}`],
      ['authorization', `Bearer ${key}`],
    ]);
    expect((await fetch(`${app.url}${ME}`, { headers })).status).toBe(401);
    const rows = jest.spyOn(Database.prototype, 'rows').mockRejectedValue(new Error('ECONNREFUSED'));
    const { status } = await use(createApiKey('sa').plainKey);
    rows.mockRestore();
    expect([500, 503]).toContain(status);
  });

  describe('of people', () => {
    const createMine = async ({ person }: Member, given: object = {}) =>
      app.call(
        'POST',
        `${ME}/keys`,
        { tenantId: organization.id, name: 'Laptop', ...given },
        { token: person.token },
      );
    const mine = async (member: Member, given: object = {}): Promise<string> => {
      const { status, body } = await createMine(member, given);
      expect([status, body]).toEqual([201, expect.anything()]);
      return String(body['key']);
    };

    it('act as the person in one organization, and do nothing that needs a sign-in', async () => {
      const admin = await organization.join('admin');
      const key = await mine(admin);
      expect(key).toMatch(/^gh_me_/);
      expect(await use(key)).toMatchObject({ body: { id: admin.person.id, kind: 'person', service: null } });
      expect((await readMembers(key)).status).toBe(200);
      for (const [method, path] of [
        ['PATCH', ME],
        ['GET', `${ME}/sessions`],
        ['GET', `${ME}/keys`],
        ['POST', `${ME}/keys`],
        ['DELETE', '/api/v1/iam/auth/account'],
      ] as const)
        expect([
          path,
          (await app.call(method, path, method === 'GET' ? undefined : {}, { token: key })).status,
        ]).toEqual([path, 403]);
    });

    it('can be limited to scopes that the person holds', async () => {
      const admin = await organization.join('admin');
      const key = await mine(admin, { scopes: ['iam:service-account:read'] });
      expect((await app.get(`${organization.path}/service-accounts`, key)).status).toBe(200);
      expect(await readMembers(key)).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
      const member = await organization.join('member');
      const more = await createMine(member, { scopes: ['iam:service-account:create'] });
      expect([more.status, more.body['violations']]).toEqual([
        400,
        [expect.objectContaining({ propertyPath: 'scopes[0]' })],
      ]);
    });

    it('need the sign-in that the organization asks for', async () => {
      const { person } = organization.owner;
      const member = await organization.join('member');
      await TestTotp.enrol(app, person.token);
      const token = await person.select(organization.id);
      const set = await organization.call('PUT', '/sign-in-policy', { secondFactor: 'required' }, token);
      expect(set.status).toBe(200);
      expect(await createMine(member)).toMatchObject({
        status: 401,
        body: { type: '/errors/insufficient-user-authentication' },
      });
      const given = { tenantId: organization.id, name: 'Laptop' };
      expect((await app.call('POST', `${ME}/keys`, given, { token })).status).toBe(201);
    });

    it('stop once the organization asks for more than they were made with, until made again', async () => {
      const own = await Organization.found(app);
      const { person } = own.owner;
      const given = (name: string) => ({ tenantId: own.id, name });
      const make = async (token: string) =>
        String((await app.call('POST', `${ME}/keys`, given('Laptop'), { token })).body['key']);
      const weak = await make(person.token);
      const read = (key: string) => app.get(`${own.path}/members`, key);
      const ask = (key: string) =>
        app.call('POST', '/api/auth/can', { scopes: ['iam:member:read'] }, { token: key });
      expect((await read(weak)).status).toBe(200);
      const serviceAccount = { name: 'Export', roles: ['admin'] };
      const { body: account } = await own.call('POST', '/service-accounts', serviceAccount);
      const path = `/service-accounts/${String(account['id'])}/keys`;
      const ofAccount = String((await own.call('POST', path, { name: 'Nightly' })).body['key']);
      await TestTotp.enrol(app, person.token);
      const token = await person.select(own.id);
      const policy = (secondFactor: string, graceDays: number) =>
        own.call('PUT', '/sign-in-policy', { secondFactor, graceDays }, token);
      expect((await policy('required', 7)).status).toBe(200);
      expect((await read(weak)).status).toBe(200);
      expect((await policy('required', 0)).status).toBe(200);
      const refusal = {
        code: 'authentication_insufficient',
        detail: 'This key was made with a weaker sign-in than the organization asks for now. Make a new one.',
      };
      await eventually('the key is refused', async () => (await read(weak)).status !== 200);
      expect(await read(weak)).toMatchObject({ status: 403, body: refusal });
      expect((await ask(weak)).body).toMatchObject({
        'iam:member:read': { allowed: false, code: refusal.code, reason: refusal.detail },
      });
      expect((await read(ofAccount)).status).toBe(200);
      const strong = await make(token);
      expect((await read(strong)).status).toBe(200);
      expect((await policy('optional', 0)).status).toBe(200);
      await eventually('the key works again', async () => (await read(weak)).status === 200);
    });

    it('are listed and revoked by the person alone', async () => {
      const [one, two] = [await organization.join('member'), await organization.join('member')];
      const { body } = await createMine(one);
      const call = (method: string, { person }: Member, below = '') =>
        app.call(method, `${ME}/keys${below}`, undefined, { token: person.token });
      expect(itemsOf(await call('GET', one))).toEqual([
        expect.objectContaining({ id: body['id'], tenantId: organization.id }),
      ]);
      expect(itemsOf(await call('GET', two))).toEqual([]);
      expect((await call('DELETE', two, `/${String(body['id'])}`)).status).toBe(404);
      expect((await call('DELETE', one, `/${String(body['id'])}`)).status).toBe(204);
      expect((await use(String(body['key']))).status).toBe(401);
    });

    it('cannot be made for an organization of others', async () => {
      const { owner } = await Organization.found(app);
      const { status, body } = await createMine(owner);
      expect([status, body['violations']]).toEqual([
        400,
        [expect.objectContaining({ propertyPath: 'tenantId' })],
      ]);
    });

    it('cannot be made for an archived organization', async () => {
      expect((await organization.call('POST', '/archive')).status).toBeLessThan(300);
      const { status, body } = await createMine(organization.owner);
      expect([status, body['violations']]).toEqual([
        400,
        [expect.objectContaining({ propertyPath: 'tenantId' })],
      ]);
    });

    it('shrink with the roles of the person', async () => {
      const admin = await organization.join('admin');
      const key = await mine(admin);
      const read = () => app.get(`${organization.path}/service-accounts`, key);
      expect((await read()).status).toBe(200);
      await organization.call('PATCH', `/members/${admin.person.id}`, { roles: ['member'] });
      expect((await read()).status).toBe(403);
    });

    it.each<[string, (member: Member) => Promise<unknown>]>([
      ['removal', ({ person }) => organization.call('DELETE', `/members/${person.id}`)],
      ['suspension', ({ person }) => organization.call('POST', `/members/${person.id}/suspend`)],
      ['leaving', ({ token }) => organization.call('POST', '/leave', undefined, token)],
      [
        'erasure',
        ({ person }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token }),
      ],
    ])('end by %s, with the same commit', async (_, end) => {
      const member = await organization.join('member');
      const key = await mine(member);
      expect((await use(key, other)).status).toBe(200);
      await end(member);
      const rows = await app.sql('SELECT 1 FROM machine_credentials WHERE owner_id = $1', [member.person.id]);
      expect(rows).toEqual([]);
      expect((await use(key)).status).toBe(401);
      await refusedBy(other, key);
    });
  });
});
