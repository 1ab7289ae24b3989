import { Organization, type Member } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const LAST_OWNER = 'The last owner can be neither removed nor demoted. Make another member an owner first.';

describe('Members', () => {
  let organization: Organization;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const change = (member: Member, roles: string[], as?: string) =>
    organization.call('PATCH', `/members/${member.person.id}`, { roles }, as);
  const remove = (member: Member, as?: string) =>
    organization.call('DELETE', `/members/${member.person.id}`, undefined, as);
  const forbidden = (detail: string) => ({
    status: 403,
    body: { type: '/errors/forbidden', code: 'state_forbids', detail },
  });

  it('are listed with their roles in pages', async () => {
    const member = await organization.join('member', 'admin');
    const { body } = await organization.call('GET', '/members');
    expect(body['items']).toContainEqual({
      userId: member.person.id,
      email: member.person.email,
      firstName: 'Ada',
      lastName: null,
      displayName: null,
      name: 'Ada',
      roles: ['admin', 'member'],
      joinedAt: expect.any(String),
      status: 'active',
      source: 'manual',
      directoryName: null,
      until: null,
      roleEnds: [],
      lastActiveAt: expect.any(String),
    });
    const first = await organization.call('GET', '/members?limit=1');
    const cursor = String(first.body['nextCursor']);
    const second = await organization.call('GET', `/members?limit=1&cursor=${cursor}`);
    expect([...itemsOf(first), ...itemsOf(second)]).toEqual(body['items']);
    expect(second.body['nextCursor']).toBeNull();
  });

  it('get other roles, effective with the next request', async () => {
    const member = await organization.join('member');
    const invite = () => organization.call('GET', '/invitations', undefined, member.token);
    expect((await invite()).body).toMatchObject({ code: 'scope_not_held' });
    expect(await change(member, ['admin', 'admin'])).toMatchObject({
      status: 200,
      body: { userId: member.person.id, roles: ['admin'] },
    });
    expect((await invite()).status).toBe(200);
    await change(member, ['member']);
    expect((await invite()).status).toBe(403);
  });

  it('cannot be given unknown roles, or more than the caller holds', async () => {
    const admin = await organization.join('admin');
    const member = await organization.join('member');
    expect((await change(member, ['member', 'nonsense', 'owner'], admin.token)).body).toMatchObject({
      violations: [
        { propertyPath: 'roles[1]', message: 'There is no role nonsense in this organization.' },
        {
          propertyPath: 'roles[2]',
          message: 'The role owner holds permissions that you do not hold yourself.',
        },
      ],
    });
    expect((await change(member, ['Not A Key'])).body).toMatchObject({
      violations: [{ propertyPath: 'roles[0]' }],
    });
    expect((await change(member, [])).body).toMatchObject({ violations: [{ propertyPath: 'roles' }] });
  });

  it('can leave, an archived organization as well', async () => {
    const leave = (as: string) => organization.call('POST', '/leave', undefined, as);
    const [ada, bob] = [await organization.join('member'), await organization.join('admin')];
    expect(await leave(organization.owner.token)).toMatchObject(
      forbidden('The last owner cannot leave. Make another member an owner first.'),
    );
    expect((await leave(ada.token)).status).toBe(204);
    expect((await organization.call('GET', '', undefined, ada.token)).status).toBe(401);
    await organization.call('POST', '/archive');
    expect((await leave(bob.token)).status).toBe(204);
    const left = await app.sql('SELECT account_id FROM audit_events WHERE action = $1 AND tenant_id = $2', [
      'member.left',
      organization.id,
    ]);
    expect(left.map((event) => event['account_id'])).toEqual([ada.person.id, bob.person.id]);
  });

  it('are made owners by owners only, whatever the scopes of others', async () => {
    const roles = itemsOf<{ key: string; scopes: string[] }>(await organization.call('GET', '/roles'));
    const everything = roles.find(({ key }) => key === 'owner')?.scopes ?? [];
    await organization.call('POST', '/roles', { key: 'deputy', name: 'Deputy', scopes: everything });
    const deputy = await organization.join('deputy');
    const member = await organization.join('member');
    const refused = {
      status: 400,
      body: { violations: [{ propertyPath: 'roles[0]', message: 'Only an owner can make an owner.' }] },
    };
    expect(await change(member, ['owner'], deputy.token)).toMatchObject(refused);
    const invitation = { email: 'puppet@example.com', roles: ['owner'] };
    expect(await organization.call('POST', '/invitations', invitation, deputy.token)).toMatchObject(refused);
    expect((await change(member, ['admin'], deputy.token)).status).toBe(200);
  });

  it('can leave and be removed', async () => {
    const [leaver, removed] = [await organization.join('member'), await organization.join('member')];
    expect((await remove(leaver, leaver.token)).body).toMatchObject({ code: 'scope_not_held' });
    expect((await remove(removed)).status).toBe(204);
    expect((await organization.call('GET', '/members')).body['items']).toHaveLength(2);
    expect(await remove(removed)).toMatchObject({ status: 404, body: { code: 'subject_not_found' } });
  });

  it('lose their tokens for the organization at once, and no others, on removal', async () => {
    const member = await organization.join('member');
    const other = await Organization.found(app, member.person);
    expect((await app.get(organization.path, member.token)).status).toBe(200);
    await remove(member);
    expect((await app.get(organization.path, member.token)).status).toBe(401);
    expect((await app.get(other.path, other.owner.token)).status).toBe(200);
    expect((await app.get('/api/v1/iam/me', member.person.token)).status).toBe(200);
  });

  it('leave as owners while another owner stays, also the first one', async () => {
    const owners = [organization.owner, await organization.join('owner'), await organization.join('owner')];
    const leave = ({ token }: { token: string }) => organization.call('POST', '/leave', undefined, token);
    const statuses: number[] = [];
    for (const owner of owners) statuses.push((await leave(owner)).status);
    expect(statuses).toEqual([204, 204, 403]);
  });

  it('cannot remove, demote or lose the last owner', async () => {
    const { owner } = organization;
    expect(await change(owner, ['admin'])).toMatchObject(forbidden(LAST_OWNER));
    expect(await remove(owner)).toMatchObject(forbidden(LAST_OWNER));
    const second = await organization.join('owner');
    expect(await change(owner, ['admin'])).toMatchObject(
      forbidden('You cannot change your own roles. Ask another owner or admin.'),
    );
    expect((await change(owner, ['admin'], second.token)).status).toBe(200);
    expect(await remove(second, second.token)).toMatchObject(forbidden(LAST_OWNER));
  });

  it('cannot act on owners unless they are owners', async () => {
    const admin = await organization.join('admin');
    await organization.join('owner');
    const sentence = 'Only an owner can do this to an owner.';
    expect(await change(organization.owner, ['member'], admin.token)).toMatchObject(forbidden(sentence));
    expect(await remove(organization.owner, admin.token)).toMatchObject(forbidden(sentence));
  });

  describe('who hold more than the caller', () => {
    const sentence =
      'The member holds permissions that you do not hold yourself. Ask a member who holds them.';
    const PERSONNEL = ['iam:member:read', 'iam:member:update', 'iam:member:remove'];
    const AUDITOR = [...PERSONNEL, 'iam:audit:read'];
    beforeEach(async () => {
      await organization.call('POST', '/roles', { key: 'personnel', name: 'Personnel', scopes: PERSONNEL });
      await organization.call('POST', '/roles', { key: 'auditor', name: 'Auditor', scopes: AUDITOR });
    });
    const rolesOf = async ({ person }: Member) => {
      const items = itemsOf<{ userId: string; roles: string[] }>(await organization.call('GET', '/members'));
      return items.find(({ userId }) => userId === person.id)?.roles;
    };

    it('cannot be demoted or removed', async () => {
      const clerk = await organization.join('personnel');
      for (const role of ['admin', 'auditor']) {
        const member = await organization.join(role);
        expect(await change(member, ['personnel'], clerk.token)).toMatchObject(forbidden(sentence));
        expect(await change(member, ['member'], clerk.token)).toMatchObject({ status: 403 });
        expect(await remove(member, clerk.token)).toMatchObject(forbidden(sentence));
        expect(await rolesOf(member)).toEqual([role]);
      }
    });

    it('are compared with the caller by all roles of both', async () => {
      const clerk = await organization.join('personnel');
      const both = await organization.join('auditor', 'personnel');
      expect(await change(both, ['personnel'], clerk.token)).toMatchObject(forbidden(sentence));
      await change(clerk, ['auditor']);
      expect((await change(both, ['personnel'], clerk.token)).status).toBe(200);
      expect((await remove(both, clerk.token)).status).toBe(204);
    });

    it('are denied by the permission check as well', async () => {
      const clerk = await organization.join('personnel');
      const [admin, peer] = [await organization.join('admin'), await organization.join('personnel')];
      const ask = async (member: Member) => {
        const subject = `gatehouse:///iam/members/${member.person.id}`;
        const scopes = ['iam:member:update', 'iam:member:remove'];
        const { body } = await app.call('POST', '/api/auth/can', { scopes, subject }, { token: clerk.token });
        return body;
      };
      const denied = { allowed: false, code: 'state_forbids', reason: sentence };
      expect(await ask(admin)).toEqual({ 'iam:member:update': denied, 'iam:member:remove': denied });
      const allowed = { allowed: true };
      expect(await ask(peer)).toEqual({ 'iam:member:update': allowed, 'iam:member:remove': allowed });
    });

    it('cannot be demoted by a caller who is demoted concurrently', async () => {
      const [first, second] = [await organization.join('auditor'), await organization.join('auditor')];
      const statuses = (
        await Promise.all([
          change(first, ['personnel'], second.token),
          change(second, ['personnel'], first.token),
        ])
      ).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, 403]);
    });
  });

  it('get the admin with the earliest membership as owner when the only owner is erased', async () => {
    const first = await organization.join('admin');
    const second = await organization.join('admin');
    const { token } = organization.owner.person;
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    const items = itemsOf<{ userId: string; roles: string[] }>(
      await organization.call('GET', '/members', undefined, second.token),
    );
    expect(items.map(({ userId, roles }) => [userId, roles])).toEqual([
      [first.person.id, ['admin', 'owner']],
      [second.person.id, ['admin']],
    ]);
  });

  it('leave an archived organization when the only owner is erased without an admin', async () => {
    const member = await organization.join('member');
    const { token } = organization.owner.person;
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });
    expect((await app.get(organization.path, member.token)).body).toMatchObject({ status: 'archived' });
  });
});
