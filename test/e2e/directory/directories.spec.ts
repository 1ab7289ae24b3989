import { DirectoryTokenNotices } from '../../../src/directory/directories/directory-token-notices.js';
import { signedAs } from '../../support/factors.js';
import { Organization } from '../../support/organization.js';
import { ScimDirectory, verifyDomain } from '../../support/scim-directory.js';
import { itemsOf, withApp } from '../../support/test-app.js';

describe('Directories of an organization', () => {
  let acme: Organization;
  let other: Organization;
  const app = withApp();
  beforeAll(async () => {
    acme = await Organization.found(app);
    other = await Organization.found(app);
  });

  const create = async (organization: Organization, fields: object = {}): Promise<string> => {
    const { status, body } = await organization.call('POST', '/directories', { name: 'Entra ID', ...fields });
    expect([status, body]).toEqual([201, expect.anything()]);
    return String(body['id']);
  };

  it('are created, read, changed and deleted', async () => {
    const id = await create(acme);
    const path = `/directories/${id}`;
    expect(await acme.call('GET', path)).toMatchObject({
      status: 200,
      body: {
        name: 'Entra ID',
        baseUrl: expect.stringMatching(new RegExp(`/api/scim/v2/${id}$`)),
        status: 'active',
        connectionId: null,
        onDelete: 'suspend',
        withoutAddress: 'wait',
        matchAttribute: 'externalId',
      },
    });
    const changed = { name: 'Okta', onDelete: 'erase', status: 'disabled' };
    expect((await acme.call('PATCH', path, changed)).body).toMatchObject({
      ...changed,
      matchAttribute: 'externalId',
    });
    expect((await acme.call('PATCH', path, {})).body).toMatchObject(changed);
    expect(itemsOf<{ id: string }>(await acme.call('GET', '/directories')).map((one) => one.id)).toContain(
      id,
    );
    expect((await acme.call('DELETE', path)).status).toBe(204);
    expect((await acme.call('GET', path)).status).toBe(404);
  });

  it('refuse a connection of another organization', async () => {
    const connectionId = '01K3V9D7Q8Z4X5N6M7P8R9S0T6';
    await app.sql(
      "INSERT INTO connections (tenant_id, id, kind, name, provisioning) VALUES ($1, $2, 'oidc', 'P', '{}')",
      [other.id, connectionId],
    );
    await app.sql(
      "INSERT INTO oidc_connections (tenant_id, connection_id, issuer, client_id, client_authentication) VALUES ($1, $2, 'https://idp.example', 'id', 'secret')",
      [other.id, connectionId],
    );
    expect(await acme.call('POST', '/directories', { name: 'X', connectionId })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'connectionId' }] },
    });
    expect((await other.call('POST', '/directories', { name: 'X', connectionId })).status).toBe(201);
  });

  it('have two tokens at once, each shown once', async () => {
    const tokens = `/directories/${await create(acme)}/tokens`;
    const first = await acme.call('POST', tokens, { name: 'First' });
    expect(first).toMatchObject({
      status: 201,
      body: { token: expect.stringMatching(/^gh_scim_/), lastUsedAt: null },
    });
    expect((await acme.call('POST', tokens, { name: 'Second' })).status).toBe(201);
    expect((await acme.call('POST', tokens, { name: 'Third' })).status).toBe(409);
    const { body } = await acme.call('GET', tokens);
    expect((body['items'] as unknown as object[]).map((one) => Object.keys(one))).toEqual(
      Array(2).fill(expect.not.arrayContaining(['token'])),
    );
    const id = String(first.body['id']);
    expect((await acme.call('DELETE', `${tokens}/${id}`)).status).toBe(204);
    expect((await acme.call('DELETE', `${tokens}/${id}`)).status).toBe(404);
    expect(
      (await acme.call('POST', tokens, { name: 'Third', expiresAt: '2020-01-01T00:00:00Z' })).status,
    ).toBe(400);
  });

  it('have room for a token after one has expired, which is removed then', async () => {
    const organization = await Organization.found(app);
    const tokens = `/directories/${await create(organization)}/tokens`;
    const others = `/directories/${await create(organization)}/tokens`;
    const ids: string[] = [];
    for (const path of [tokens, tokens, others])
      ids.push(String((await organization.call('POST', path, { name: 'Token' })).body['id']));
    const [kept, expired, ofOther] = ids;
    await app.sql('UPDATE directory_tokens SET expires_at = now() WHERE id = ANY($1)', [[expired, ofOther]]);
    const { body } = await organization.call('POST', tokens, { name: 'Third' });
    const listed = async (path: string) =>
      itemsOf<{ id: string }>(await organization.call('GET', path)).map(({ id }) => id);
    expect(await listed(tokens)).toEqual([kept, body['id']]);
    expect(await listed(others)).toEqual([ofOther]);
  });

  it('announce a token once, a week before it ends', async () => {
    const directoryId = await create(acme);
    const tokens = `/directories/${directoryId}/tokens`;
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const [name, expiresAt] of [
      ['First', inDays(8)],
      ['Second', inDays(6)],
    ])
      expect((await acme.call('POST', tokens, { name, expiresAt })).status).toBe(201);
    const announced = async () => {
      await app.app.get(DirectoryTokenNotices, { strict: false }).announce();
      const action = 'directory.token-expiring';
      const events = itemsOf<{ subject: string }>(await acme.call('GET', `/audit-events?action=${action}`));
      return events.map(({ subject }) => subject);
    };
    expect(await announced()).toEqual([]);
    await app.sql(
      "UPDATE directory_tokens SET warn_at = warn_at - interval '1 day' WHERE directory_id = $1",
      [directoryId],
    );
    expect(await announced()).toEqual([`iam/directories/${directoryId}`]);
    expect(await announced()).toHaveLength(1);
  });

  it('give roles by rules that the caller could give by hand', async () => {
    const rules = `/directories/${await create(acme)}/rules`;
    await acme.call('POST', '/roles', { key: 'packer', name: 'Packer', scopes: ['iam:member:read'] });
    const given = { rules: [{ group: 'Packers', roles: ['packer'] }] };
    expect((await acme.call('PUT', rules, given)).body).toEqual({
      rules: [{ group: 'Packers', groupId: null, roles: ['packer'], on: null }],
    });
    const unknown = { rules: [{ group: 'Packers', roles: ['packer', 'pilot'] }] };
    expect(await acme.call('PUT', rules, unknown)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'rules[0].roles[1]' }] },
    });
    const admin = await acme.join('admin');
    const tooMuch = { rules: [{ group: 'Owners', roles: ['owner'] }] };
    expect((await acme.call('PUT', rules, tooMuch, admin.token)).status).toBe(400);
    const twice = { rules: [...given.rules, { group: 'packers', roles: ['packer'] }] };
    expect((await acme.call('PUT', rules, twice)).status).toBe(400);
  });

  it('have rules that another directory of the organization neither lists nor replaces', async () => {
    const organization = await Organization.found(app);
    const [first, second] = [await create(organization), await create(organization)];
    const rulesOf = (group: string) => ({ rules: [{ group, groupId: null, roles: ['member'], on: null }] });
    for (const id of [first, second])
      await organization.call('PUT', `/directories/${id}/rules`, {
        rules: [{ group: id, roles: ['member'] }],
      });
    for (const id of [first, second])
      expect((await organization.call('GET', `/directories/${id}/rules`)).body).toEqual(rulesOf(id));
  });

  it('whose rules give more than a caller could give are not theirs to steer', async () => {
    const directory = await ScimDirectory.create(acme);
    const path = `/directories/${directory.id}`;
    const admin = await acme.join('admin');
    const asAdmin = async () => [
      (await acme.call('PUT', `${path}/rules`, { rules: [] }, admin.token)).status,
      (await acme.call('PATCH', path, { matchAttribute: 'userName' }, admin.token)).status,
      (await acme.call('POST', `${path}/tokens`, { name: 'Mine' }, admin.token)).status,
    ];
    const owners = { rules: [{ group: 'Owners', roles: ['owner'] }] };
    expect((await acme.call('PUT', `${path}/rules`, owners)).status).toBe(200);
    expect(await asAdmin()).toEqual([403, 403, 403]);
    expect(await acme.call('POST', `${path}/tokens`, { name: 'Mine' }, admin.token)).toMatchObject({
      body: {
        code: 'state_forbids',
        detail: 'Groups of the directory give roles that you could not give. Ask a member who can.',
      },
    });
    expect((await acme.call('POST', `${path}/tokens`, { name: 'Second' })).status).toBe(201);
    const [first] = itemsOf<{ id: string }>(await acme.call('GET', `${path}/tokens`));
    expect((await acme.call('DELETE', `${path}/tokens/${first!.id}`, undefined, admin.token)).status).toBe(
      204,
    );
    expect((await acme.call('PUT', `${path}/rules`, { rules: [] })).status).toBe(200);
    expect(await asAdmin()).toEqual([200, 200, 201]);
  });

  it('that make owners are for owners alone, not for those who hold each of their permissions', async () => {
    const roles = itemsOf<{ key: string; scopes: string[] }>(await acme.call('GET', '/roles'));
    const { scopes } = roles.find(({ key }) => key === 'owner')!;
    expect((await acme.call('POST', '/roles', { key: 'deputy', name: 'Deputy', scopes })).status).toBe(201);
    const deputy = await acme.join('deputy');
    const path = `/directories/${await create(acme)}`;
    const createToken = () => acme.call('POST', `${path}/tokens`, { name: 'Mine' }, deputy.token);
    const setRole = (role: string) =>
      acme.call('PUT', `${path}/rules`, { rules: [{ group: 'Staff', roles: [role] }] });
    expect((await setRole('deputy')).status).toBe(200);
    expect((await createToken()).status).toBe(201);
    expect((await setRole('owner')).status).toBe(409);
    await app.sql('DELETE FROM directory_tokens WHERE directory_id = $1', [path.split('/').at(-1)]);
    expect((await setRole('owner')).status).toBe(200);
    expect((await createToken()).status).toBe(403);
  });

  it('give no role that the creator of one of their tokens could not give', async () => {
    const admin = await acme.join('admin');
    const path = `/directories/${await create(acme)}`;
    const createToken = (name: string, token?: string) =>
      acme.call('POST', `${path}/tokens`, { name }, token);
    const setRoles = (...roles: string[]) =>
      acme.call('PUT', `${path}/rules`, { rules: [{ group: 'Staff', roles }] });
    const { id } = (await createToken('Theirs', admin.token)).body;
    expect((await createToken('Mine')).status).toBe(201);
    expect((await setRoles('admin')).status).toBe(200);
    expect(await setRoles('admin', 'owner')).toMatchObject({
      status: 409,
      body: {
        detail:
          'Revoke these tokens and create new ones first, as their creators cannot give the roles: Theirs.',
      },
    });
    expect((await acme.call('GET', `${path}/rules`)).body).toMatchObject({ rules: [{ roles: ['admin'] }] });
    expect((await acme.call('DELETE', `${path}/tokens/${String(id)}`)).status).toBe(204);
    expect((await setRoles('admin', 'owner')).status).toBe(200);
    await app.sql('UPDATE directory_tokens SET created_by = NULL WHERE directory_id = $1', [
      path.split('/').at(-1),
    ]);
    expect((await setRoles('owner')).status).toBe(200); // no role that they did not give before
    expect((await setRoles('owner', 'admin')).status).toBe(409);
    await app.sql(
      "UPDATE directory_tokens SET expires_at = now() - interval '1 second' WHERE directory_id = $1",
      [path.split('/').at(-1)],
    );
    expect((await setRoles('owner', 'admin')).status).toBe(200);
  });

  it('keep a role of their rules from permissions that the creator of a token could not give', async () => {
    const own = await Organization.found(app);
    const admin = await own.join('admin');
    const path = `/directories/${await create(own)}`;
    const roles = ['loader', 'other'].map((key) => ({ key, name: key, scopes: ['iam:member:read'] }));
    const [loader, other] = await Promise.all(roles.map((role) => own.call('POST', '/roles', role)));
    const change = (role: { readonly body: Record<string, unknown> } | undefined, body: object) =>
      own.call('PATCH', `/roles/${String(role?.body['id'])}`, body);
    const { id } = (await own.call('POST', `${path}/tokens`, { name: 'Theirs' }, admin.token)).body;
    const rules = { rules: [{ group: 'Loaders', roles: ['loader'] }] };
    expect((await own.call('PUT', `${path}/rules`, rules, admin.token)).status).toBe(200);
    const more = { scopes: ['iam:member:read', 'iam:tenant:delete'] };
    expect(await change(loader, more)).toMatchObject({
      status: 400,
      body: {
        violations: [
          { propertyPath: 'scopes', message: expect.stringContaining('cannot give the roles: Theirs.') },
        ],
      },
    });
    expect((await own.call('GET', `/roles/${String(loader?.body['id'])}`)).body).toMatchObject({
      scopes: ['iam:member:read'],
    });
    expect((await change(other, more)).status).toBe(200); // no rule gives it
    const asAdmins = { name: 'Loader', scopes: ['iam:member:read', 'iam:role:read'] };
    expect((await change(loader, asAdmins)).status).toBe(200);
    expect((await own.call('DELETE', `${path}/tokens/${String(id)}`)).status).toBe(204);
    expect((await change(loader, more)).status).toBe(200);
    // Fewer permissions, or none that are new, concern no token.
    expect((await own.call('POST', `${path}/tokens`, { name: 'Mine' })).status).toBe(201);
    await app.sql('UPDATE directory_tokens SET created_by = NULL WHERE directory_id = $1', [
      path.split('/').at(-1),
    ]);
    expect((await change(loader, { scopes: ['iam:tenant:delete'] })).status).toBe(200);
    expect((await change(loader, { name: 'Loaders' })).status).toBe(200);
  });

  it('make owners by rules only after a recent sign-in, as invitations do', async () => {
    const rules = `/directories/${await create(acme)}/rules`;
    const authTime = new Date(Date.now() - 660_000);
    const stale = signedAs(app, acme.owner.token, { authTime, aal2Time: null, phrTime: null });
    const setRoles = (role: string, token: string) =>
      acme.call('PUT', rules, { rules: [{ group: 'Staff', roles: [role] }] }, token);
    expect((await setRoles('admin', stale)).status).toBe(200);
    expect((await setRoles('owner', stale)).status).toBe(401);
    expect((await setRoles('owner', acme.owner.token)).status).toBe(200);
    expect((await setRoles('owner', stale)).status).toBe(200);
  });

  it('show to whom rules give roles, before they are set', async () => {
    const directory = await ScimDirectory.create(acme);
    await verifyDomain(acme, 'packers.example');
    const userId = await directory.create('ada@packers.example');
    const gone = await directory.create('gone@packers.example');
    await directory.patch(`/Users/${gone}`, { op: 'replace', path: 'active', value: false });
    const { body: group } = await directory.call('POST', '/Groups', {
      displayName: 'Packers',
      members: [{ value: userId }, { value: gone }],
    });
    const preview = (path: string, rules: object[]) =>
      acme.call('POST', `/directories/${path}/rules/preview`, { rules });
    const rules = [
      { group: 'Pilots', roles: ['member'] },
      { group: 'packers', roles: ['member'] },
    ];
    expect(await preview(directory.id, rules)).toMatchObject({
      status: 200,
      body: {
        rules: [
          { group: 'Pilots', groupId: null, members: 0 },
          { group: 'packers', groupId: group['id'], members: 1 },
        ],
      },
    });
    const byId = [{ group: group['id'], roles: ['member'] }];
    expect((await preview(directory.id, byId)).body).toMatchObject({ rules: [{ members: 1 }] });
    expect((await preview(await create(acme), byId)).body).toMatchObject({ rules: [{ groupId: null }] });
    expect((await acme.call('GET', `/directories/${directory.id}/rules`)).body).toEqual({ rules: [] });
  });

  it('list people by any part of their names, by state and by group, with counts', async () => {
    const organization = await Organization.found(app);
    const directory = await ScimDirectory.create(organization);
    const user = async (userName: string, fields: object) =>
      String((await directory.call('POST', '/Users', { userName, ...fields })).body['id']);
    const ada = await user('ada', { name: { givenName: 'Áda', familyName: 'Lovelace' } });
    const grace = await user('ghopper', { displayName: 'Grace Hopper' });
    await user('xu', {});
    const { body: group } = await directory.call('POST', '/Groups', {
      displayName: 'Packers',
      members: [{ value: grace }],
    });
    const list = async (query: string) => {
      const answer = await organization.call('GET', `/directories/${directory.id}/users?${query}`);
      expect(answer.status).toBe(200);
      const names = itemsOf<{ name: string | null; userName: string }>(answer);
      return [names.map(({ name, userName }) => name ?? userName), answer.body['total']];
    };
    expect(await list('limit=1')).toEqual([['Áda Lovelace'], 3]);
    expect(await list('query=ada+LOVE')).toEqual([['Áda Lovelace'], 1]);
    expect(await list('query=opper')).toEqual([['Grace Hopper'], 1]);
    expect(await list('query=x')).toEqual([['xu'], 1]);
    expect(await list('query=gr')).toEqual([['Grace Hopper'], 1]);
    expect(await list('query=u')).toEqual([[], 0]);
    expect(await list('query=opper&state=linked')).toEqual([[], 0]);
    expect(await list(`groupId=${String(group['id'])}`)).toEqual([['Grace Hopper'], 1]);
    const member = await organization.join('member');
    await app.sql('UPDATE directory_users SET account_id = $2 WHERE id = $1', [grace, member.person.id]);
    const groupsOf = (of: Organization, as?: string) =>
      of.call('GET', `/directory-groups?userId=${member.person.id}`, undefined, as);
    expect((await groupsOf(organization)).body).toEqual({
      groups: [{ id: group['id'], name: 'Packers', directoryId: directory.id, directoryName: 'Entra ID' }],
    });
    expect((await groupsOf(organization, member.token)).status).toBe(403);
    expect((await groupsOf(other)).body).toEqual({ groups: [] });
    const cursor = Buffer.from(ada).toString('base64url');
    expect(await list(`query=opper&cursor=${cursor}`)).toEqual([['Grace Hopper'], undefined]);
    expect(await organization.call('GET', `/directories/${directory.id}/groups`)).toMatchObject({
      body: { items: [{ id: group['id'], name: 'Packers', members: 1 }], nextCursor: null },
    });
  });

  it('are of their organization alone', async () => {
    const id = await create(acme);
    for (const below of ['', '/tokens', '/rules', '/users', '/groups', '/log'])
      expect((await other.call('GET', `/directories/${id}${below}`)).status).toBe(404);
    const member = await acme.join('member');
    expect((await acme.call('GET', '/directories', undefined, member.token)).status).toBe(403);
  });
});
