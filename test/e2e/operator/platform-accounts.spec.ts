import { createApiKey } from '../../../src/platform/crypto/index.js';
import { PlatformKeyExpiry } from '../../../src/machine/platform/platform-key-expiry.js';
import { Organization, Person } from '../../support/organization.js';
import { Replicas } from '../../support/replicas.js';
import { type Answer, eventually, type TestApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const OPERATOR = '/api/v1/operator';
const OTHER_NETWORK = '127.0.0.2/32';

describe('A service account of the platform', () => {
  let replicas: Replicas;
  let app: TestApp;
  let other: TestApp;
  let organization: Organization;
  let person: Person;
  beforeAll(async () => {
    replicas = await Replicas.start();
    ({ app, other } = replicas);
    organization = await Organization.found(app);
    person = await Person.signUp(app);
  });
  afterAll(() => replicas.stop());

  interface Account {
    readonly id: string;
    /** Options of the commands that name it. */
    readonly named: readonly string[];
  }
  const create = async (role: 'support' | 'admin'): Promise<Account> => {
    const made = await app.command('platform-account:create', '--name', 'Helpdesk', '--role', role);
    const id = String((made as { serviceAccountId: string }).serviceAccountId);
    return { id, named: ['--service-account', id] };
  };
  const newKey = async ({ named }: Account, ...words: string[]) =>
    (await app.command('platform-key:create', ...named, '--name', 'Nightly', ...words)) as {
      keyId: string;
      key: string;
      expiresAt: Date;
    };
  const read = (key: string, on = app) => on.get(`${OPERATOR}/people/${person.id}`, key);
  const act = (what: string, key: string): Promise<Answer> =>
    app.call('POST', `${OPERATOR}/people/${person.id}/${what}`, {}, { token: key });
  const probe = async (scope: string, key: string) => {
    const body = { subject: `gatehouse:///platform/people/${person.id}`, scopes: [scope] };
    return (await app.call('POST', '/api/auth/can', body, { token: key })).body[scope];
  };

  it('says who it is, and belongs to no organization', async () => {
    const account = await create('support');
    const { key } = await newKey(account);
    expect((await app.get(ME, key)).body).toMatchObject({
      id: account.id,
      kind: 'service',
      service: { name: 'Helpdesk', tenantId: null, roles: ['support'] },
    });
    const members = await app.get(`/api/v1/iam/tenants/${organization.id}/members`, key);
    expect(members.status).toBe(403);
    const selected = await app.post('select-tenant', { tenantId: organization.id }, { token: key });
    expect(selected.status).toBe(403);
  });

  it('does what its role allows, without a second factor, and the trail names it', async () => {
    const support = await newKey(await create('support'));
    const account = await create('admin');
    const admin = await newKey(account);
    expect((await read(support.key)).body).toMatchObject({ email: person.email });
    expect(await probe('platform:person:suspend', support.key)).toMatchObject({
      allowed: false,
      code: 'scope_not_held',
    });
    expect((await act('suspend', support.key)).status).toBe(403);
    expect(await probe('platform:person:suspend', admin.key)).toMatchObject({ allowed: true });
    expect((await act('suspend', admin.key)).status).toBe(204);
    expect((await act('restore', admin.key)).status).toBe(204);
    const [event] = await app.sql('SELECT 1 FROM audit_events WHERE account_id = $1 AND action = $2', [
      account.id,
      'person.suspended',
    ]);
    expect(event).toBeDefined();
  });

  it('erases no person, as its key proves no second factor', async () => {
    const { key } = await newKey(await create('admin'));
    expect(await probe('platform:person:erase', key)).toMatchObject({
      allowed: false,
      code: 'scope_not_held',
      reason: expect.stringContaining('for people'),
    });
    const path = `${OPERATOR}/people/${person.id}`;
    expect(await app.call('DELETE', path, undefined, { token: key })).toMatchObject({
      status: 403,
      body: { code: 'scope_not_held' },
    });
    expect((await read(key)).body).toMatchObject({ email: person.email });
  });

  it('makes no operator, acts as no person, and does nothing that is for people', async () => {
    const { key } = await newKey(await create('admin'));
    const calls: [string, string, object | undefined][] = [
      ['GET', `${OPERATOR}/operators`, undefined],
      ['POST', `${OPERATOR}/operators`, { email: person.email, role: 'admin' }],
      [
        'POST',
        `${OPERATOR}/impersonations`,
        { userId: person.id, tenantId: organization.id, reason: 'Ticket 4711' },
      ],
      ['GET', `${OPERATOR}/webhooks/subscriptions`, undefined],
      ['GET', '/api/v1/iam/satellites', undefined],
      ['POST', '/api/v1/iam/tenants', { name: 'Mine' }],
      ['GET', `${ME}/keys`, undefined],
    ];
    for (const [method, path, body] of calls)
      expect([path, (await app.call(method, path, body, { token: key })).status]).toEqual([path, 403]);
    const form = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: key,
    };
    const body = new URLSearchParams(form);
    const exchange = await fetch(`${app.url}/oauth2/token`, { method: 'POST', body });
    expect([exchange.status, await exchange.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
  });

  it('is restricted by the scopes and networks of a key', async () => {
    const account = await create('admin');
    const narrow = await newKey(account, '--scope', 'platform:tenant:read');
    expect((await read(narrow.key)).status).toBe(403);
    expect(await probe('platform:person:read', narrow.key)).toMatchObject({ code: 'scope_not_held' });
    expect((await app.get(`${OPERATOR}/tenants/${organization.id}`, narrow.key)).status).toBe(200);
    const far = await newKey(account, '--network', OTHER_NETWORK);
    expect((await app.get(ME, far.key)).status).toBe(401);
    const near = await newKey(account, '--network', '127.0.0.1/32', '--network', '::1/128');
    expect((await app.get(ME, near.key)).status).toBe(200);
  });

  it.each([
    ['a scope of organizations', ['--scope', 'iam:member:read']],
    ['a scope of people alone', ['--scope', 'platform:impersonation:start']],
    ['a scope beyond its role', ['--scope', 'platform:person:suspend']],
    ['something that is no network', ['--network', 'abcd']],
    ['more than a year', ['--days', '366']],
    ['no time', ['--days', '0']],
    ['no number of days', ['--days', '1e1']],
  ])('gets no key with %s', async (_, words) => {
    const account = await create('support');
    await expect(newKey(account, ...words)).rejects.toThrow();
    expect(await app.sql('SELECT 1 FROM platform_keys WHERE account_id = $1', [account.id])).toEqual([]);
  });

  it('is refused with another secret, by an expired key, and beyond ten keys', async () => {
    const account = await create('support');
    const { key, keyId } = await newKey(account);
    const { plainKey: forged } = createApiKey('sa');
    await app.sql('UPDATE platform_keys SET lookup = $1 WHERE id = $2', [forged.slice(6, 16), keyId]);
    expect((await read(forged)).status).toBe(401);
    await app.sql("UPDATE platform_keys SET lookup = $1, expires_at = now() - interval '1 s' WHERE id = $2", [
      key.slice(6, 16),
      keyId,
    ]);
    expect((await read(key)).status).toBe(401);
    for (let n = 0; n < 10; n += 1) await newKey(account);
    await expect(newKey(account)).rejects.toThrow();
  });

  it.each<[string, (account: Account, keyId: string) => Promise<unknown>]>([
    ['it is disabled', ({ named }) => app.command('platform-account:disable', ...named)],
    ['it is deleted', ({ named }) => app.command('platform-account:delete', ...named)],
    [
      'its key is revoked',
      ({ named }, keyId) => app.command('platform-key:revoke', ...named, '--key', keyId),
    ],
  ])('is refused on every replica once %s', async (_, end) => {
    const account = await create('support');
    const { key, keyId } = await newKey(account);
    expect((await read(key)).status).toBe(200);
    expect((await read(key, other)).status).toBe(200);
    await end(account, keyId);
    expect((await read(key)).status).toBe(401);
    await eventually('the other replica refuses it', async () => (await read(key, other)).status === 401);
  });

  it('goes on once it is enabled again, and loses no other account its key', async () => {
    const [one, two] = [await create('support'), await create('support')];
    const { key, keyId } = await newKey(one);
    await app.command('platform-account:disable', ...one.named);
    await app.command('platform-account:enable', ...one.named);
    expect((await read(key)).status).toBe(200);
    await expect(app.command('platform-key:revoke', ...two.named, '--key', keyId)).rejects.toThrow();
    expect((await read(key)).status).toBe(200);
  });

  it('is listed with its keys, whose secrets are kept nowhere', async () => {
    const account = await create('admin');
    const { key, keyId } = await newKey(account);
    await read(key);
    const listed = async () => {
      const page = await app.command('platform-key:list', ...account.named);
      return (page as { items: { keyId: string; lastUsedAt: Date | null }[] }).items;
    };
    await eventually('the use is noted', async () => (await listed())[0]?.lastUsedAt !== null);
    expect(await listed()).toMatchObject([{ keyId, name: 'Nightly' }]);
    expect(JSON.stringify(await listed())).not.toContain(key.slice(17, 49));
    const rows = await app.sql('SELECT k::text AS row FROM platform_keys k WHERE id = $1', [keyId]);
    expect(JSON.stringify(rows)).not.toContain(key.slice(17, 49));
    const accounts = (await app.command('platform-account:list')) as { items: object[] };
    expect(accounts.items).toContainEqual(
      expect.objectContaining({ serviceAccountId: account.id, role: 'admin', status: 'active' }),
    );
  });

  it('loses a key that was found in public', async () => {
    const { key, keyId } = await newKey(await create('admin'));
    expect((await read(key)).status).toBe(200);
    const report = (found: string) => app.call('POST', '/api/v1/iam/leaked-keys', { key: found });
    const rename = (lookup: string) =>
      app.sql('UPDATE platform_keys SET lookup = $1 WHERE id = $2', [lookup, keyId]);
    // Its public part alone proves nothing.
    const { plainKey: forged } = createApiKey('sa');
    await rename(forged.slice(6, 16));
    expect((await report(forged)).status).toBe(202);
    await rename(key.slice(6, 16));
    expect((await read(key)).status).toBe(200);
    const admin = await Person.signUp(app);
    await app.command('operator:grant', '--account', admin.email, '--role', 'admin');
    expect((await report(key)).status).toBe(202);
    expect((await read(key)).status).toBe(401);
    const isTold = async () => (await app.mails(admin.email)).some((mail) => mail.includes('Nightly'));
    await eventually('the admins are told', isTold);
  });

  it('announces a key a week before its end, once, to the admins', async () => {
    const account = await create('support');
    const admin = await Person.signUp(app);
    await app.command('operator:grant', '--account', admin.email, '--role', 'admin');
    const make = async (name: string, days: string) =>
      (await app.command('platform-key:create', ...account.named, '--name', name, '--days', days)) as {
        keyId: string;
      };
    const [due, later, short] = [
      await make('Due', '30'),
      await make('Later', '30'),
      await make('Brief', '7'),
    ];
    const lead = 'extract(epoch FROM expires_at - warn_at)::int / 86400 AS days';
    const sql = `SELECT id, ${lead} FROM platform_keys WHERE account_id = $1 ORDER BY id`;
    expect(await app.sql(sql, [account.id])).toEqual([
      { id: due.keyId, days: 7 },
      { id: later.keyId, days: 7 },
      { id: short.keyId, days: null },
    ]);
    await app.sql('UPDATE platform_keys SET warn_at = now() WHERE id = $1', [due.keyId]);
    const jobs = app.app.get(PlatformKeyExpiry, { strict: false });
    await jobs.warn();
    await jobs.warn();
    const announced = await app.sql(
      "SELECT subject FROM audit_events WHERE account_id = $1 AND action = 'platform-key.expiring'",
      [account.id],
    );
    expect(announced).toEqual([{ subject: `platform/api-keys/${due.keyId}` }]);
    const mails = async () => (await app.mails(admin.email)).filter((mail) => mail.includes('expires on'));
    await eventually('the admin is told', async () => (await mails()).length === 1);
    expect((await mails())[0]).toContain('Due');
  });

  it('is reported to every admin, in their language, and to no one else', async () => {
    const { key } = await newKey(await create('admin'));
    const [support, last] = [await Person.signUp(app), await Person.signUp(app)];
    await app.command('operator:grant', '--account', support.email, '--role', 'support');
    await app.command('operator:grant', '--account', last.email, '--role', 'admin');
    await app.sql("UPDATE accounts SET locale = 'fr' WHERE id = $1", [last.id]);
    // More operators than a page has, all before the last one in order of id.
    await app.sql(
      `WITH made AS (
         INSERT INTO accounts (id, email, email_key, first_name)
         SELECT '0000000000' || lpad(n::text, 16, '0'), 'admin-' || n || '@example.com', 'admin-' || n || '@example.com', 'Ada'
         FROM generate_series(1, 60) n RETURNING id)
       INSERT INTO operators (account_id, role) SELECT id, 'admin' FROM made`,
    );
    expect((await app.call('POST', '/api/v1/iam/leaked-keys', { key })).status).toBe(202);
    const mailsTo = async (email: string) =>
      (await app.mails(email)).filter((mail) => mail.includes('Nightly'));
    await eventually('the last admin is told', async () => (await mailsTo(last.email)).length === 1);
    expect((await mailsTo(last.email))[0]).toMatch(/signal=C3=A9e|signalée/);
    await eventually('the first is told', async () => (await mailsTo('admin-1@example.com')).length === 1);
    expect(await mailsTo(support.email)).toEqual([]);
  });
});
