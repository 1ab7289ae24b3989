import { Organization } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

interface Role {
  readonly id: string;
  readonly key: string;
  readonly scopes: string[];
  readonly builtIn: boolean;
}

describe('Roles', () => {
  let organization: Organization;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const clerk = { key: 'clerk', name: 'Clerk', scopes: ['iam:member:read', 'iam:invitation:read'] };
  const create = (role: object = clerk, as?: string) => organization.call('POST', '/roles', role, as);
  const change = (id: unknown, changes: object, as?: string) =>
    organization.call('PATCH', `/roles/${String(id)}`, changes, as);
  const remove = (id: unknown) => organization.call('DELETE', `/roles/${String(id)}`);
  const forbidden = (detail: string) => ({ status: 403, body: { code: 'state_forbids', detail } });

  it('include owner, admin and member, which cannot be changed', async () => {
    const roles = itemsOf<Role>(await organization.call('GET', '/roles'));
    expect(roles.map(({ key, builtIn }) => [key, builtIn])).toEqual([
      ['owner', true],
      ['admin', true],
      ['member', true],
    ]);
    const [owner, admin, member] = roles.map(({ scopes }) => scopes);
    expect(owner).toEqual(expect.arrayContaining([...(admin ?? []), 'iam:tenant:archive']));
    expect(admin).not.toContain('iam:tenant:archive');
    expect(member).toEqual([
      'iam:access-request:create',
      'iam:access-request:withdraw',
      'iam:member:read',
      'iam:role:read',
      'iam:tenant:leave',
      'iam:tenant:read',
    ]);
    const sentence = 'A built-in role cannot be changed or deleted.';
    expect(await change(roles[2]?.id, { name: 'Crew' })).toMatchObject(forbidden(sentence));
    expect(await remove(roles[2]?.id)).toMatchObject(forbidden(sentence));
  });

  describe('Permissions', () => {
    interface Permission {
      readonly scope: string;
      readonly title: string;
      readonly description: string;
      readonly group: string;
      readonly givable: boolean;
    }
    const list = async (as?: string) =>
      itemsOf<Permission>(await organization.call('GET', '/permissions', undefined, as));

    it('are those that an owner holds, with texts, and what the caller can give', async () => {
      const [owner] = itemsOf<Role>(await organization.call('GET', '/roles'));
      const permissions = await list();
      expect(permissions.map(({ scope }) => scope).toSorted()).toEqual(owner?.scopes.toSorted());
      expect(permissions.every(({ givable }) => givable)).toBe(true);
      expect(permissions).toContainEqual({
        scope: 'iam:member:update',
        title: 'Change roles of members',
        description: 'Give and take roles, up to the permissions that one holds oneself.',
        group: 'Members',
        givable: true,
      });
      const groups = permissions.map(({ group }) => group);
      const runs = groups.filter((group, n) => group !== groups[n - 1]);
      expect(runs).toHaveLength(new Set(groups).size);
    });

    it('of a caller with less say what the caller cannot give', async () => {
      const { token } = await organization.join('member');
      const givable = (await list(token)).flatMap(({ scope, givable: can }) => (can ? [scope] : []));
      expect(givable.toSorted()).toEqual([
        'iam:access-request:create',
        'iam:access-request:withdraw',
        'iam:member:read',
        'iam:role:read',
        'iam:tenant:leave',
        'iam:tenant:read',
      ]);
    });

    it('have a title and a description of their own, in the language of the caller', async () => {
      const path = `/api/v1/iam/tenants/${organization.id}/permissions`;
      const titles = new Set<string>();
      for (const locale of ['en', 'de', 'es', 'fr', 'nl']) {
        const headers = { 'accept-language': locale };
        const answer = await app.call('GET', path, undefined, { token: organization.owner.token, headers });
        const permissions = itemsOf<Permission>(answer);
        for (const { title, description } of permissions) expect([title, description]).not.toContain('');
        expect(new Set(permissions.map(({ title }) => title)).size).toBe(permissions.length);
        titles.add(permissions.find(({ scope }) => scope === 'iam:role:create')?.title ?? '');
      }
      expect([...titles]).toEqual([
        'Create roles',
        'Rollen anlegen',
        'Crear roles',
        'Créer des rôles',
        'Rollen maken',
      ]);
    });

    it('are unknown to members of other organizations', async () => {
      const other = await Organization.found(app);
      expect((await organization.call('GET', '/permissions', undefined, other.owner.token)).status).toBe(404);
    });
  });

  it('are created, changed and deleted', async () => {
    const { status, body } = await create();
    expect(status).toBe(201);
    expect(body).toEqual({ id: expect.any(String), ...clerk, builtIn: false });
    expect((await change(body['id'], { name: 'Head clerk' })).body).toMatchObject({
      name: 'Head clerk',
      scopes: clerk.scopes,
    });
    expect((await change(body['id'], { scopes: [] })).body).toMatchObject({ name: 'Head clerk', scopes: [] });
    expect((await remove(body['id'])).status).toBe(204);
    expect(await remove(body['id'])).toMatchObject({ status: 404, body: { code: 'subject_not_found' } });
  });

  it('hold each scope once', async () => {
    const twice = [...clerk.scopes, ...clerk.scopes];
    const { body } = await create({ ...clerk, scopes: twice });
    expect(body['scopes']).toEqual(clerk.scopes);
    expect((await change(body['id'], { scopes: twice })).body['scopes']).toEqual(clerk.scopes);
  });

  it('have unique keys', async () => {
    await create();
    expect(await create()).toMatchObject({
      status: 409,
      body: { detail: 'There is a role with the key clerk already.' },
    });
    expect((await create({ ...clerk, key: 'owner' })).status).toBe(409);
  });

  it.each([
    [{ key: 'Not a key' }, 'key'],
    [{ name: '' }, 'name'],
    [{ scopes: ['iam:member:read', 'nonsense'] }, 'scopes[1]'],
    [{ scopes: ['iam:member:read', 'iam:member:fly'] }, 'scopes[1]'],
    [{ scopes: ['iam:session:end'] }, 'scopes[0]'],
    [{ scopes: 'iam:member:read' }, 'scopes'],
  ])('are rejected as %j', async (changes, propertyPath) => {
    expect((await create({ ...clerk, ...changes })).body).toMatchObject({
      type: '/errors/validation-error',
      violations: [{ propertyPath }],
    });
  });

  it('grant their scopes from the next request on, and no others', async () => {
    const role = (await create()).body;
    const member = await organization.join('clerk');
    const invitations = () => organization.call('GET', '/invitations', undefined, member.token);
    expect((await invitations()).status).toBe(200);
    expect((await organization.call('GET', '/roles', undefined, member.token)).status).toBe(403);
    await change(role['id'], { scopes: ['iam:role:read'] });
    expect((await invitations()).status).toBe(403);
    expect((await organization.call('GET', '/roles', undefined, member.token)).status).toBe(200);
  });

  it('cannot be given scopes that the caller does not hold', async () => {
    const admin = await organization.join('admin');
    const greedy = { key: 'greedy', name: 'Greedy', scopes: ['iam:member:read', 'iam:tenant:archive'] };
    expect((await create(greedy, admin.token)).body).toMatchObject({
      violations: [{ propertyPath: 'scopes[1]', message: 'You do not hold this permission yourself.' }],
    });
    const role = (await create(clerk, admin.token)).body;
    expect((await change(role['id'], { scopes: ['iam:tenant:archive'] }, admin.token)).status).toBe(400);
  });

  it('cannot be changed or deleted by a caller who holds less', async () => {
    const admin = await organization.join('admin');
    const keeper = (await create({ key: 'keeper', name: 'Keeper', scopes: ['iam:tenant:archive'] })).body;
    const as = (method: string, body?: object) =>
      organization.call(method, `/roles/${String(keeper['id'])}`, body, admin.token);
    const sentence = 'The role holds permissions that you do not hold yourself.';
    expect(await as('PATCH', { name: 'Mine' })).toMatchObject(forbidden(sentence));
    expect(await as('DELETE')).toMatchObject(forbidden(sentence));
  });

  it('cannot be deleted while a member or an open invitation has them', async () => {
    const role = (await create()).body;
    const sentence =
      'The role is in use. Take it from its members and service accounts, and revoke invitations to it first.';
    const member = await organization.join('clerk');
    expect(await remove(role['id'])).toMatchObject(forbidden(sentence));
    await organization.call('PATCH', `/members/${member.person.id}`, { roles: ['member'] });
    const invited = await organization.call('POST', '/invitations', {
      email: 'new@example.com',
      roles: ['clerk'],
    });
    expect(await remove(role['id'])).toMatchObject(forbidden(sentence));
    await organization.call('DELETE', `/invitations/${String(invited.body['id'])}`);
    expect((await remove(role['id'])).status).toBe(204);
  });

  it('are limited to a hundred besides the built-in ones', async () => {
    await app.sql(
      "INSERT INTO roles (tenant_id, id, key, name, scopes, built_in) SELECT $1, '01BX' || lpad(n::text, 22, '0'), 'r' || n, 'R', '{}', false FROM generate_series(1, 100) n",
      [organization.id],
    );
    expect(await create()).toMatchObject({
      status: 409,
      body: { detail: 'An organization can have 100 roles of its own. Delete one that is not in use.' },
    });
  });
});
