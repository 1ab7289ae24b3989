import { Organization } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly roles: string[];
  readonly lastUsedAt: string | null;
}

const EXCEEDS =
  'The service account holds permissions that you do not hold yourself. Ask a member who holds them.';

describe('Service accounts', () => {
  let organization: Organization;
  const app = withApp();
  beforeAll(async () => {
    organization = await Organization.found(app);
  });

  const call = (method: string, below = '', body?: object, as?: string) =>
    organization.call(method, `/service-accounts${below}`, body, as);
  const create = async (given: object = {}): Promise<Account> => {
    const { status, body } = await call('POST', '', { name: 'Export', roles: ['member'], ...given });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body as unknown as Account;
  };
  const actionsOn = async (id: string): Promise<string[]> => {
    const { body } = await organization.call('GET', `/audit-events?subject=iam/service-accounts/${id}`);
    return (body['items'] as unknown as { action: string }[]).map(({ action }) => action);
  };

  it('are created, listed, changed, disabled, enabled and deleted, and the audit trail says so', async () => {
    const { id, ...created } = await create({ name: 'Warehouse', contact: 'ops@example.com' });
    expect(created).toEqual({
      name: 'Warehouse',
      description: null,
      contact: 'ops@example.com',
      status: 'active',
      roles: ['member'],
      createdAt: expect.any(String),
      lastUsedAt: null,
    });
    const read = await call('GET', `/${id}`);
    expect(read.body).toEqual({ id, ...created });
    expect(read.headers.get('etag')).toMatch(/^"/);
    await create({ name: 'Carrier' });
    const found = async (query: string) => itemsOf<Account>(await call('GET', query)).map(({ name }) => name);
    expect(await found('?query=WARE')).toEqual(['Warehouse']);
    expect(await found('?query=House')).toEqual(['Warehouse']);
    const changed = await call('PATCH', `/${id}`, { description: 'Nightly', roles: ['admin'] });
    expect(changed).toMatchObject({ status: 200, body: { description: 'Nightly', roles: ['admin'] } });
    expect(await call('POST', `/${id}/disable`)).toMatchObject({ status: 200, body: { status: 'disabled' } });
    expect(await found('?status=disabled')).toEqual(['Warehouse']);
    expect(await call('POST', `/${id}/disable`)).toMatchObject({
      status: 403,
      body: { detail: 'The service account is disabled already.' },
    });
    expect(await call('POST', `/${id}/enable`)).toMatchObject({ status: 200, body: { status: 'active' } });
    expect((await call('DELETE', `/${id}`)).status).toBe(204);
    expect((await call('GET', `/${id}`)).status).toBe(404);
    expect(await actionsOn(id)).toEqual(
      ['deleted', 'enabled', 'disabled', 'updated', 'created'].map((what) => `service-account.${what}`),
    );
  });

  it('cannot be owners, nor hold unknown roles', async () => {
    for (const role of ['owner', 'captain']) {
      const { status, body } = await call('POST', '', { name: 'Export', roles: ['member', role] });
      expect([status, body['violations']]).toEqual([
        400,
        [expect.objectContaining({ propertyPath: 'roles[1]' })],
      ]);
    }
    const { id } = await create();
    expect((await call('PATCH', `/${id}`, { roles: ['owner'] })).status).toBe(400);
  });

  it('hold no more than the caller who creates, changes, enables or deletes them', async () => {
    const scopes = ['create', 'update', 'enable', 'disable', 'delete', 'read'].map(
      (action) => `iam:service-account:${action}`,
    );
    await organization.call('POST', '/roles', { key: 'keeper', name: 'Keeper', scopes });
    const { token } = await organization.join('keeper');
    const tooMuch = {
      status: 403,
      body: {
        code: 'state_forbids',
        detail: 'The role admin holds permissions that you do not hold yourself.',
      },
    };
    expect(await call('POST', '', { name: 'Mine', roles: ['admin'] }, token)).toMatchObject(tooMuch);
    const unknown = await call('POST', '', { name: 'Mine', roles: ['admin', 'captain'] }, token);
    expect([unknown.status, unknown.body['violations']]).toEqual([
      400,
      [expect.objectContaining({ propertyPath: 'roles[1]' })],
    ]);
    const own = await call('POST', '', { name: 'Mine', roles: ['keeper'] }, token);
    expect(own.status).toBe(201);
    const mine = `/${String(own.body['id'])}`;
    expect(await call('PATCH', mine, { roles: ['admin'] }, token)).toMatchObject(tooMuch);
    const { id } = await create({ roles: ['admin'] });
    const forbidden = { status: 403, body: { code: 'state_forbids', detail: EXCEEDS } };
    expect(await call('PATCH', `/${id}`, { name: 'Taken' }, token)).toMatchObject(forbidden);
    expect(await call('DELETE', `/${id}`, undefined, token)).toMatchObject(forbidden);
    expect((await call('POST', `/${id}/disable`, undefined, token)).status).toBe(200);
    expect(await call('POST', `/${id}/enable`, undefined, token)).toMatchObject(forbidden);
  });

  it('can be at most 200 of an organization', async () => {
    const own = await Organization.found(app);
    await app.sql(
      `INSERT INTO service_accounts (tenant_id, id, name, created_by)
       SELECT $1, 'many-' || n, 'One of many', $2 FROM generate_series(1, 199) n`,
      [own.id, own.owner.person.id],
    );
    const add = async () =>
      (await own.call('POST', '/service-accounts', { name: 'Export', roles: ['member'] })).status;
    expect([await add(), await add()]).toEqual([201, 409]);
  });

  it('keep their role in use', async () => {
    const role = await organization.call('POST', '/roles', { key: 'packer', name: 'Packer', scopes: [] });
    const { id } = await create({ roles: ['packer'] });
    const remove = () => organization.call('DELETE', `/roles/${String(role.body['id'])}`);
    expect(await remove()).toMatchObject({ status: 403, body: { code: 'state_forbids' } });
    await call('DELETE', `/${id}`);
    expect((await remove()).status).toBe(204);
  });
});
