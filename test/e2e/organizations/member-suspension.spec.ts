import { randomBytes } from 'node:crypto';
import { roundsOf } from '../../support/long.js';
import { Organization, type Member } from '../../support/organization.js';
import { TestSatellite } from '../../support/satellite.js';
import { eventually, itemsOf, type Answer, TestApp, withApp } from '../../support/test-app.js';

const LAST_OWNER = 'The last owner cannot be suspended. Make another member an owner first.';
const ROUNDS = roundsOf({ short: 5, long: 50 });
const ACTIVE_OWNERS = `SELECT m.user_id AS id FROM members m JOIN member_roles mr USING (tenant_id, user_id)
    JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = mr.role_id
  WHERE m.tenant_id = $1 AND r.key = 'owner' AND m.status = 'active'`;

describe('A suspended member', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let organization: Organization;
  const app = withApp({ ROOT_SECRET });
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const suspend = (member: Member, as?: string) =>
    organization.call('POST', `/members/${member.person.id}/suspend`, undefined, as);
  const restore = (member: Member, as?: string) =>
    organization.call('POST', `/members/${member.person.id}/restore`, undefined, as);
  const statusOf = async (answer: Promise<Answer>) => (await answer).status;
  const readOn = (service: TestApp, token: string) =>
    statusOf(service.get(`/api/v1/iam/tenants/${organization.id}`, token));
  const denied = (detail: string) => ({ status: 403, body: { code: 'state_forbids', detail } });
  const select = ({ person }: Member) =>
    app.post('select-tenant', { tenantId: organization.id }, { token: person.token });

  it('is refused at once here, and within a second at another replica', async () => {
    const member = await organization.join('admin');
    // Started last: a replica takes jobs, and writes mails to a mailbox of its own.
    const replica = await TestApp.start({ ROOT_SECRET, DATABASE_URL: app.databaseUrl });
    expect(await readOn(replica, member.token)).toBe(200);
    expect(await suspend(member)).toMatchObject({
      status: 200,
      body: { userId: member.person.id, roles: ['admin'], status: 'suspended', source: 'manual' },
    });
    expect(await readOn(app, member.token)).toBe(401);
    await eventually(
      'the other replica refuses',
      async () => (await readOn(replica, member.token)) === 401,
      1_000,
    );
    await replica.stop();
    expect(await select(member)).toMatchObject({ status: 403, body: { type: '/errors/not-a-member' } });
  });

  it('keeps the session, whose refresh comes back without the organization', async () => {
    const member = await organization.join('member');
    await suspend(member);
    const { status, body } = await app.post('refresh', { refreshToken: member.person.refreshToken });
    expect(status).toBe(200);
    expect(await readOn(app, String(body['accessToken']))).toBe(403);
    expect(await statusOf(app.get('/api/v1/iam/me', String(body['accessToken'])))).toBe(200);
  });

  it('is refused through satellites as well', async () => {
    const member = await organization.join('member');
    const satellite = await TestSatellite.withScopes(app, 'iam:tenant:read');
    const visitor = await satellite.signIn(member.token);
    await suspend(member);
    expect(await readOn(app, visitor.accessToken)).toBeGreaterThanOrEqual(401);
  });

  it('is back with the same roles after a restoration', async () => {
    const member = await organization.join('admin');
    await suspend(member);
    const { body } = await organization.call('GET', '/members?limit=100');
    expect(body['items']).toContainEqual(
      expect.objectContaining({ userId: member.person.id, status: 'suspended', roles: ['admin'] }),
    );
    expect(await restore(member)).toMatchObject({
      status: 200,
      body: { status: 'active', roles: ['admin'] },
    });
    expect((await select(member)).status).toBe(200);
    expect(await restore(member)).toMatchObject(denied('The membership is not suspended.'));
  });

  it('stays out of other lists: own organizations, owners, sole owners', async () => {
    const member = await organization.join('owner');
    await suspend(member);
    expect(await suspend(member)).toMatchObject(denied('The membership is suspended already.'));
    const mine = await app.get('/api/v1/iam/me/tenants', member.person.token);
    expect(itemsOf(mine)).toEqual([]);
    expect(await suspend({ ...organization.owner } as Member)).toMatchObject(denied(LAST_OWNER));
    const left = await organization.call('POST', '/leave');
    expect(left).toMatchObject(denied('The last owner cannot leave. Make another member an owner first.'));
    const transfer = await organization.call('POST', '/ownership-transfer', { userId: member.person.id });
    expect(transfer.status).not.toBe(200);
  });

  it('is not suspended by callers who hold less', async () => {
    const [admin, owner] = [await organization.join('admin'), await organization.join('owner')];
    const plain = await organization.join('member');
    expect(await suspend(owner, admin.token)).toMatchObject(denied('Only an owner can do this to an owner.'));
    expect(await suspend(admin, plain.token)).toMatchObject({
      status: 403,
      body: { code: 'scope_not_held' },
    });
    await suspend(owner);
    expect(await restore(owner, admin.token)).toMatchObject(denied('Only an owner can do this to an owner.'));
  });

  it('leaves an owner behind when the last two suspend each other', async () => {
    const other = await organization.join('owner');
    for (let round = 0; round < ROUNDS; round++) {
      const answers = await Promise.all([
        suspend(other),
        suspend({ ...organization.owner } as Member, other.token),
      ]);
      const statuses = answers.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([401, 403]).toContain(statuses[1]);
      expect(await app.sql(ACTIVE_OWNERS, [organization.id])).toHaveLength(1);
      organization = await Organization.found(app);
      Object.assign(other, await organization.join('owner'));
    }
  });

  it('never becomes the only owner by a transfer beside the suspension', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [other, admin] = [await organization.join('admin'), await organization.join('admin')];
      const answers = await Promise.all([
        suspend(other, admin.token),
        organization.call('POST', '/ownership-transfer', { userId: other.person.id, keepRoles: ['admin'] }),
      ]);
      const statuses = answers.map(({ status }) => status);
      expect([
        [200, 400],
        [403, 200],
      ]).toContainEqual(statuses);
      expect(await app.sql(ACTIVE_OWNERS, [organization.id])).toHaveLength(1);
      organization = await Organization.found(app);
    }
  });

  it('does not keep roles from one source when another source takes its own', async () => {
    const member = await organization.join('member');
    await app.sql(
      `INSERT INTO member_roles (tenant_id, user_id, role_id, source)
       SELECT tenant_id, $2, id, 'directory' FROM roles WHERE tenant_id = $1 AND key IN ('admin', 'member')`,
      [organization.id, member.person.id],
    );
    const change = (roles: string[]) => organization.call('PATCH', `/members/${member.person.id}`, { roles });
    expect((await change(['admin'])).body['roles']).toEqual(['admin', 'member']);
    await app.sql("DELETE FROM member_roles WHERE user_id = $1 AND source = 'directory'", [member.person.id]);
    expect((await organization.call('GET', `/members/${member.person.id}`)).body['roles']).toEqual(['admin']);
  });
});
