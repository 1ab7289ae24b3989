import { Organization, Person } from '../../support/organization.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';

describe('A service account', () => {
  let app: TestApp;
  let organization: Organization;
  let accountId: string;
  let key: string;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());
  beforeEach(async () => {
    organization = await Organization.found(app);
    const account = await organization.call('POST', '/service-accounts', { name: 'HR', roles: ['admin'] });
    accountId = String(account.body['id']);
    key = await createKey();
  });

  const createKey = async (given: object = {}): Promise<string> => {
    const path = `/service-accounts/${accountId}/keys`;
    const { status, body } = await organization.call('POST', path, { name: 'Nightly', ...given });
    expect(status).toBe(201);
    return String(body['key']);
  };
  const act = (method: string, below: string, body?: object) => organization.call(method, below, body, key);

  it('changes what its roles allow, and the audit trail names it', async () => {
    const role = await act('POST', '/roles', { key: 'packer', name: 'Packer', scopes: ['iam:member:read'] });
    expect(role.status).toBe(201);
    const member = await organization.join('member');
    const changed = await act('PATCH', `/members/${member.person.id}`, { roles: ['packer'] });
    expect(changed).toMatchObject({ status: 200, body: { roles: ['packer'] } });
    const { body } = await organization.call('GET', '/audit-events?action=role.created');
    expect(itemsOf({ body } as never)).toEqual([expect.objectContaining({ actorId: accountId })]);
  });

  it('gives no more than its roles hold, nor than its key allows', async () => {
    const make = (scopes: string[]) => act('POST', '/roles', { key: 'more', name: 'More', scopes });
    for (const scope of ['iam:tenant:archive', 'iam:api-key:create', 'iam:satellite:read'])
      expect([scope, (await make([scope])).status]).toEqual([scope, 400]);
    key = await createKey({ scopes: ['iam:role:create', 'iam:invitation:create'] });
    expect((await make(['iam:member:read'])).status).toBe(400);
    expect((await make(['iam:role:create'])).status).toBe(201);
    const invited = await act('POST', '/invitations', { email: 'more@example.com', roles: ['member'] });
    expect(invited.status).toBe(400);
  });

  it('invites members, as long as it may', async () => {
    const invite = async (email: string): Promise<string> => {
      expect((await act('POST', '/invitations', { email, roles: ['member'] })).status).toBe(201);
      return app.mailedToken(email);
    };
    const accept = async (token: string, email: string) => {
      const person = await Person.signUp(app, email);
      return app.post('accept-invitation', { token }, { token: person.token });
    };
    const [first, second] = ['first.invited@example.com', 'second.invited@example.com'];
    expect(await accept(await invite(first), first)).toMatchObject({ status: 200 });
    const token = await invite(second);
    await organization.call('POST', `/service-accounts/${accountId}/disable`);
    expect(await accept(token, second)).toMatchObject({ status: 400 });
  });

  it('is told by both the check and the command what only people do', async () => {
    const subject = `gatehouse:///iam/tenants/${organization.id}`;
    const scopes = ['iam:tenant:leave'];
    const reason = 'This is for people. A service account cannot do it.';
    const { body } = await app.call('POST', '/api/auth/can', { subject, scopes }, { token: key });
    expect(body['iam:tenant:leave']).toEqual({ allowed: false, code: 'state_forbids', reason });
    expect(await act('POST', '/leave')).toMatchObject({
      status: 403,
      body: { code: 'state_forbids', detail: reason },
    });
    const limited = { name: 'Leaving', scopes };
    expect((await organization.call('POST', `/service-accounts/${accountId}/keys`, limited)).status).toBe(
      400,
    );
    const { body: credential } = await organization.call(
      'POST',
      `/service-accounts/${accountId}/credentials`,
      {
        kind: 'secret',
      },
    );
    const form = {
      grant_type: 'client_credentials',
      client_id: accountId,
      client_secret: String(credential['clientSecret']),
    };
    const response = await fetch(`${app.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form),
    });
    const { scope } = (await response.json()) as { scope: string };
    expect(scope.split(' ')).toContain('iam:tenant:read');
    expect(scope.split(' ')).not.toContain('iam:tenant:leave');
  });

  it('has keys whose end is announced once, a week before', async () => {
    await createKey({ expiresAt: new Date(Date.now() + 30 * 86_400_000).toISOString() });
    const lead = 'extract(epoch FROM expires_at - warn_at)::int / 86400 AS days';
    const keys = await app.sql(`SELECT ${lead} FROM machine_credentials WHERE owner_id = $1`, [accountId]);
    expect(keys).toEqual([{ days: 7 }, { days: 7 }]);
    await app.sql(
      "UPDATE machine_credentials SET warn_at = now() - interval '1 minute' WHERE owner_id = $1 AND warn_at < now() + interval '30 days'",
      [accountId],
    );
    const announce = async (): Promise<void> => {
      await app.sql("SELECT graphile_worker.add_job('announce_expiring_keys')");
      await eventually('the job has run', async () => {
        const jobs = await app.sql(
          "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'announce_expiring_keys'",
        );
        return jobs.length === 0;
      });
    };
    const announced = async () =>
      itemsOf(await organization.call('GET', '/audit-events?action=key.expiring'));
    await announce();
    expect(await announced()).toHaveLength(1);
    await announce();
    expect(await announced()).toHaveLength(1);
  });

  it('is stopped by an operator at the command line, and its keys one by one', async () => {
    const names = ['--organization', organization.id, '--service-account', accountId];
    const { items } = (await app.command('key:list', ...names)) as { items: { keyId: string }[] };
    expect(items).toEqual([expect.objectContaining({ name: 'Nightly' })]);
    expect(JSON.stringify(items)).not.toContain(key.slice(17, 49));
    const listed = await app.command('service-account:list', '--organization', organization.id);
    expect(listed).toMatchObject({ items: [{ serviceAccountId: accountId, status: 'active' }] });
    const status = async () => (await app.get(ME, key)).status;
    expect(await status()).toBe(200);
    await app.command('service-account:disable', ...names);
    expect(await status()).toBe(401);
    // Its owners may have disabled it: only with their consent.
    await expect(app.command('service-account:enable', ...names)).rejects.toThrow('does not let support in');
    expect(await status()).toBe(401);
    await organization.call('PUT', '/sign-in-policy', { supportAccess: 'always' });
    await app.command('service-account:enable', ...names);
    expect(await status()).toBe(200);
    await app.command('key:revoke', ...names, '--key', String(items[0]?.keyId));
    expect(await status()).toBe(401);
    const again = app.command('key:revoke', ...names, '--key', String(items[0]?.keyId));
    await expect(again).rejects.toThrow();
  });

  it('does not outlast the suspension of an account by a key of that person', async () => {
    const member = await organization.join('member');
    const { token } = member.person;
    const { body } = await app.call(
      'POST',
      `${ME}/keys`,
      { tenantId: organization.id, name: 'Laptop' },
      { token },
    );
    const own = String(body['key']);
    expect((await app.get(ME, own)).status).toBe(200);
    await app.command('account:suspend', '--account', member.person.id);
    expect((await app.get(ME, own)).status).toBe(401);
    expect(
      await app.sql('SELECT 1 FROM machine_credentials WHERE owner_id = $1', [member.person.id]),
    ).toEqual([]);
    await app.command('account:restore', '--account', member.person.id);
    expect((await app.get(ME, own)).status).toBe(401);
  });
});

describe('The key policy of an organization', () => {
  let app: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    app = await TestApp.start();
    organization = await Organization.found(app);
  });
  afterAll(() => app.stop());

  const DAY_MS = 86_400_000;
  const set = (policy: object, as?: string) => organization.call('PUT', '/key-policy', policy, as);
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

  it('limits the lifetime of new keys, and asks for an expiry', async () => {
    const none = { personalKeys: true, maxLifetimeDays: null };
    expect((await organization.call('GET', '/key-policy')).body).toEqual(none);
    const { body } = await organization.call('POST', '/service-accounts', { name: 'CI', roles: ['member'] });
    const create = (given: object = {}) =>
      organization.call('POST', `/service-accounts/${String(body['id'])}/keys`, { name: 'CI', ...given });
    expect((await create({ expiresAt: null })).status).toBe(201);
    expect((await set({ maxLifetimeDays: 30 })).body).toEqual({ personalKeys: true, maxLifetimeDays: 30 });
    for (const expiresAt of [null, inDays(31)])
      expect((await create({ expiresAt })).body['violations']).toEqual([
        {
          propertyPath: 'expiresAt',
          message: 'must be within 30 days: the organization asks for it',
        },
      ]);
    expect((await create({ expiresAt: inDays(29) })).status).toBe(201);
    const made = await create();
    expect(Math.round((Date.parse(String(made.body['expiresAt'])) - Date.now()) / DAY_MS)).toBe(30);
    expect((await set({ maxLifetimeDays: null })).body).toEqual(none);
  });

  it('forbids keys of members, and revokes theirs', async () => {
    const member = await organization.join('member');
    const { token } = member.person;
    const create = () =>
      app.call('POST', `${ME}/keys`, { tenantId: organization.id, name: 'Laptop' }, { token });
    const key = String((await create()).body['key']);
    expect((await app.get(ME, key)).status).toBe(200);
    expect((await set({ maxLifetimeDays: 90 })).status).toBe(200);
    expect((await app.get(ME, key)).status).toBe(200);
    expect((await set({ maxLifetimeDays: null })).status).toBe(200);
    expect((await set({ personalKeys: false }, member.token)).status).toBe(403);
    expect((await set({ personalKeys: false })).status).toBe(200);
    expect((await app.get(ME, key)).status).toBe(401);
    const detail = 'This organization does not allow keys of members. Ask for a service account.';
    expect(await create()).toMatchObject({ status: 403, body: { code: 'state_forbids', detail } });
    const { body } = await organization.call('GET', '/audit-events?limit=100');
    const actions = itemsOf<{ action: string }>({ body } as never).map(({ action }) => action);
    expect(actions.slice(0, 2).toSorted()).toEqual(['key-policy.changed', 'key.revoked']);
    expect((await set({ personalKeys: true })).status).toBe(200);
    expect((await create()).status).toBe(201);
  });
});
