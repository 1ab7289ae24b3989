import { randomBytes } from 'node:crypto';
import { EndNotices } from '../../../src/iam/organizations/ends/end-notices.js';
import { AccessExpiry } from '../../../src/iam/organizations/ends/access-expiry.js';
import { AccessCache } from '../../../src/iam/organizations/members/access-cache.js';
import type { TenantId, UserId } from '../../../src/kernel/index.js';
import { roundsOf } from '../../support/long.js';
import { type Member, Organization } from '../../support/organization.js';
import { eventually, itemsOf, TestApp, withApp } from '../../support/test-app.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ROUNDS = roundsOf({ short: 5, long: 40 });
const UPDATE_MEMBERS = 'iam:member:update';

describe('Access that ends', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let organization: Organization;
  let temp: Member;
  let other: Member;
  const app = withApp({ ROOT_SECRET });
  let replica: TestApp | undefined;
  afterEach(async () => {
    await replica?.stop();
    replica = undefined;
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
    temp = await organization.join('member');
    other = await organization.join('member');
  });

  const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
  const pathOf = ({ person }: Member) => `/members/${person.id}`;
  const change = (member: Member, body: object, token?: string) =>
    organization.call('PATCH', pathOf(member), body, token);
  const changed = async (member: Member, body: object) => {
    const answer = await change(member, body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  };
  const read = (member: Member, service = app) =>
    service.get(`/api/v1/iam/tenants/${organization.id}`, member.token);
  const isAllowed = async (member: Member): Promise<boolean> => {
    const { body } = await app.call(
      'POST',
      '/api/auth/can',
      { scopes: [UPDATE_MEMBERS], subject: `gatehouse:///iam/members/${other.person.id}` },
      { token: member.token },
    );
    return (body[UPDATE_MEMBERS] as unknown as { allowed: boolean }).allowed;
  };
  /** Whether the member may change another one: the permission check and the command must agree. */
  const mayChange = async (member: Member): Promise<boolean> => {
    const allowed = await isAllowed(member);
    const { status } = await change(other, { roles: ['member'] }, member.token);
    expect(status).toBe(allowed ? 200 : 403);
    return allowed;
  };
  /** Moves ends into the past, as time does. Caches learn of it as of any change. */
  const pass = async (table: 'members' | 'member_roles', member: Member) => {
    await app.sql(
      `UPDATE ${table} SET until = now() - interval '1 second' WHERE tenant_id = $1 AND user_id = $2 AND until IS NOT NULL`,
      [organization.id, member.person.id],
    );
    await app.app
      .get(AccessCache, { strict: false })
      .announceMemberships({ tenantId: organization.id as TenantId, userId: member.person.id as UserId });
  };
  const listed = async () =>
    itemsOf<{ userId: string }>(await organization.call('GET', '/members')).map(({ userId }) => userId);
  const expiry = () => app.app.get(AccessExpiry, { strict: false });
  const eventsOf = ({ person }: Member, type: string) =>
    app.sql<{ data: object }>('SELECT data FROM events WHERE subject = $1 AND type = $2', [
      `iam/members/${person.id}`,
      type,
    ]);

  it('ends a membership on time at each replica, without any job or change', async () => {
    replica = await TestApp.start({ ROOT_SECRET, DATABASE_URL: app.databaseUrl });
    const until = inMs(1_500);
    expect(await changed(temp, { until })).toMatchObject({ until, roles: ['member'] });
    for (const service of [app, replica]) expect((await read(temp, service)).status).toBe(200);
    for (const service of [app, replica]) {
      await eventually('the end', async () => (await read(temp, service)).status === 401, 3_000);
      expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(until) - 100);
    }
    expect(await app.sql('SELECT 1 FROM members WHERE user_id = $1', [temp.person.id])).toHaveLength(1);
    expect(
      await app.post('select-tenant', { tenantId: organization.id }, { token: temp.person.token }),
    ).toMatchObject({ status: 403, body: { type: '/errors/not-a-member' } });
    expect(await listed()).not.toContain(temp.person.id);
    expect((await organization.call('GET', pathOf(temp))).status).toBe(404);
    expect((await change(temp, { until: null })).status).toBe(404);
  });

  it('takes the tenant from the next refresh of an ended membership', async () => {
    await changed(temp, { until: inMs(HOUR_MS) });
    await pass('members', temp);
    const { status, body } = await app.post('refresh', { refreshToken: temp.person.refreshToken });
    expect(status).toBe(200);
    expect((await read({ ...temp, token: String(body['accessToken']) })).status).toBe(403);
  });

  it('ends a role on time, and keeps the others', async () => {
    expect(await mayChange(temp)).toBe(false);
    const until = inMs(1_500);
    const { roles, roleEnds } = await changed(temp, { roles: ['member', { key: 'admin', until }] });
    expect({ roles, roleEnds }).toEqual({
      roles: ['admin', 'member'],
      roleEnds: [{ key: 'admin', until }],
    });
    expect(await mayChange(temp)).toBe(true);
    await eventually('the end', async () => !(await isAllowed(temp)), 3_000);
    expect(await mayChange(temp)).toBe(false);
    expect((await organization.call('GET', pathOf(temp))).body).toMatchObject({
      roles: ['member'],
      roleEnds: [],
    });
    expect((await read(temp)).status).toBe(200);
  });

  it('keeps the end of a role that is named by its key, and removes it on demand', async () => {
    const until = inMs(DAY_MS);
    await changed(temp, { roles: [{ key: 'admin', until }] });
    expect(await changed(temp, { roles: ['admin', 'member'] })).toMatchObject({
      roleEnds: [{ key: 'admin', until }],
    });
    await changed(temp, { until });
    expect(await changed(temp, { roles: [{ key: 'admin' }] })).toMatchObject({
      roles: ['admin'],
      roleEnds: [],
      until,
    });
    expect(await changed(temp, { until: null })).toMatchObject({ until: null });
    await changed(temp, { roles: [{ key: 'admin', until }] });
    await pass('member_roles', temp);
    expect(await changed(temp, { roles: ['admin'] })).toMatchObject({ roles: ['admin'], roleEnds: [] });
    expect(await mayChange(temp)).toBe(true);
  });

  it.each<[string, object, string]>([
    ['nothing', {}, 'roles'],
    ['an end in the past', { until: inMs(-1) }, 'until'],
    ['an end that is no time', { until: 'Friday' }, 'until'],
    ["a role's end in the past", { roles: [{ key: 'member', until: inMs(-1) }] }, 'roles[0].until'],
    ["a role's end that is no time", { roles: ['member', { key: 'admin', until: 'Friday' }] }, 'roles[1]'],
    ['a role without a key', { roles: [{ until: null }] }, 'roles[0]'],
    ['a role with more', { roles: [{ key: 'member', source: 'directory' }] }, 'roles[0]'],
    ['a list as a role', { roles: [['member']] }, 'roles[0]'],
  ])('refuses %s', async (_, body, propertyPath) => {
    expect(await change(temp, body)).toMatchObject({
      status: 400,
      body: { violations: [expect.objectContaining({ propertyPath })] },
    });
  });

  it('gives no role for a time that the caller does not hold', async () => {
    await organization.call('POST', '/roles', {
      key: 'keeper',
      name: 'Keeper',
      scopes: ['iam:tenant:archive'],
    });
    await changed(temp, { roles: ['admin'] });
    await organization.call('POST', '/roles', { key: 'all', name: 'All', scopes: ['iam:tenant:delete'] });
    expect(
      (await change(other, { roles: [{ key: 'owner', until: inMs(HOUR_MS) }] }, temp.token)).body[
        'violations'
      ],
    ).toMatchObject([{ propertyPath: 'roles[0]' }]);
    expect((await change(organization.owner, { until: inMs(HOUR_MS) }, temp.token)).status).toBe(403);
  });

  it('leaves one owner whose access does not end', async () => {
    const reason = { status: 403, body: { code: 'state_forbids' } };
    await changed(temp, { roles: [{ key: 'owner', until: inMs(HOUR_MS) }] });
    const token = await organization.owner.person.select(organization.id);
    expect(
      await organization.call('POST', `${pathOf(organization.owner)}/suspend`, undefined, temp.token),
    ).toMatchObject(reason);
    expect(await change(organization.owner, { until: inMs(HOUR_MS) }, temp.token)).toMatchObject(reason);
    expect(await organization.call('POST', '/leave', undefined, token)).toMatchObject({ status: 403 });
    const transfer = await organization.call(
      'POST',
      '/ownership-transfer',
      { userId: temp.person.id },
      token,
    );
    expect(transfer.status).toBe(200);
    expect((await organization.call('GET', pathOf(temp), undefined, temp.token)).body).toMatchObject({
      roles: ['owner'],
      roleEnds: [],
    });
  });

  it('is not given the organization by a transfer while the membership ends', async () => {
    await changed(temp, { until: inMs(HOUR_MS) });
    expect(
      (await organization.call('POST', '/ownership-transfer', { userId: temp.person.id })).body['violations'],
    ).toMatchObject([{ propertyPath: 'userId' }]);
  });

  it('leaves a lasting owner when two owners end each other at once', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const one = await Organization.found(app);
      const second = await one.join('owner');
      const end = (member: Member, token: string) =>
        one.call('PATCH', pathOf(member), { until: inMs(HOUR_MS) }, token);
      const answers = await Promise.all([end(second, one.owner.token), end(one.owner, second.token)]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403]);
      expect(
        await app.sql('SELECT 1 FROM members WHERE tenant_id = $1 AND until IS NULL', [one.id]),
      ).toHaveLength(1);
    }
  });

  it('is removed later with its tokens and invitations, and told', async () => {
    await changed(temp, { until: inMs(HOUR_MS) });
    await changed(other, { roles: ['member', { key: 'admin', until: inMs(HOUR_MS) }] });
    await pass('members', temp);
    await pass('member_roles', other);
    await Promise.all([expiry().removeEndedMemberships(), expiry().removeEndedMemberships()]);
    await Promise.all([expiry().removeEndedRoles(), expiry().removeEndedRoles()]);
    expect(await app.sql('SELECT 1 FROM members WHERE user_id = $1', [temp.person.id])).toEqual([]);
    expect(await eventsOf(temp, 'iam.membership.expired')).toHaveLength(1);
    expect(await eventsOf(other, 'iam.role.expired')).toMatchObject([
      { data: { userId: other.person.id, assignmentId: null } },
    ]);
    expect(await listed()).toContain(other.person.id);
  });

  it('is listed by what ends before a time: memberships, roles, and roles on things', async () => {
    const late = await organization.join('member');
    const on = 'gatehouse:///freight/depots/01K3V9D7Q8Z4X5N6M7P8R9S0T5';
    await changed(temp, { until: inMs(HOUR_MS) });
    await changed(other, { roles: ['member', { key: 'admin', until: inMs(HOUR_MS) }] });
    await changed(late, { until: inMs(9 * DAY_MS) });
    for (const until of [inMs(HOUR_MS), inMs(9 * DAY_MS), undefined]) {
      const body = { role: 'member', on, until };
      await organization.call('POST', `${pathOf(other)}/assignments`, body);
    }
    const ending = async (ms: number, more = '') =>
      itemsOf<{ userId: string }>(await organization.call('GET', `/members?expiring=${inMs(ms)}${more}`)).map(
        ({ userId }) => userId,
      );
    const [two, three] = [
      [temp, other],
      [temp, other, late],
    ].map((all) => all.map(({ person }) => person.id).toSorted());
    expect((await ending(7 * DAY_MS)).toSorted()).toEqual(two);
    expect((await ending(10 * DAY_MS)).toSorted()).toEqual(three);
    expect(await ending(HOUR_MS / 2)).toEqual([]);
    expect(await ending(7 * DAY_MS, '&role=admin')).toEqual([other.person.id]);
    const assigned = await organization.call('GET', `/assignments?expiring=${inMs(7 * DAY_MS)}`);
    expect(itemsOf(assigned)).toHaveLength(1);
    await pass('members', temp);
    await pass('member_roles', other);
    expect(await ending(7 * DAY_MS)).toEqual([]);
  });

  it('ends at the instant that was said, also in the hour that daylight saving repeats', async () => {
    const [{ name }] = (await app.sql('SELECT current_database() AS name')) as [{ name: string }];
    await app.sql(`ALTER DATABASE "${name}" SET timezone TO 'Europe/Berlin'`, []);
    replica = await TestApp.start({ ROOT_SECRET, DATABASE_URL: app.databaseUrl });
    const by = (member: Member, until: string) =>
      replica!.call('PATCH', `${organization.path}${pathOf(member)}`, { until }, organization.owner);
    // 02:30 in summer time, and 02:30 an hour later.
    const [first, second] = ['2099-10-25T00:30:00.000Z', '2099-10-25T01:30:00.000Z'] as const;
    expect((await by(temp, first)).body['until']).toBe(first);
    expect((await by(other, second)).body['until']).toBe(second);
    const instants = await app.sql(
      `SELECT until - notice_at = interval '168 hours' AS "isWeek", extract(epoch FROM until)::float8 * 1000 AS until,
         until AT TIME ZONE 'Europe/Berlin' AS local FROM members WHERE user_id = ANY($1) ORDER BY until`,
      [[temp.person.id, other.person.id]],
    );
    const local = (instants[0] as { local: Date }).local;
    expect(instants).toEqual([
      { isWeek: true, until: Date.parse(first), local },
      { isWeek: true, until: Date.parse(second), local },
    ]);
    await app.sql(`ALTER DATABASE "${name}" RESET timezone`, []);
  });

  it.each([60_000, -60_000])('ends on time where the clock of a replica is %i ms off', async (off) => {
    const now = Date.now.bind(Date);
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => now() + off);
    try {
      const token = await temp.person.select(organization.id);
      const status = async () => (await read({ ...temp, token })).status;
      await app.sql("UPDATE members SET until = now() + interval '1500 ms' WHERE user_id = $1", [
        temp.person.id,
      ]);
      await app.app
        .get(AccessCache, { strict: false })
        .announceMemberships({ tenantId: organization.id as TenantId, userId: temp.person.id as UserId });
      expect(await status()).toBe(200);
      await eventually('the end', async () => (await status()) === 401, 3_000);
      const sql =
        "SELECT now() BETWEEN until - interval '50 ms' AND until + interval '1 second' AS on_time FROM members WHERE user_id = $1";
      expect(await app.sql(sql, [temp.person.id])).toEqual([{ on_time: true }]);
    } finally {
      clock.mockRestore();
    }
  });

  it('does not hinder the person from joining again before it is removed', async () => {
    await changed(temp, { until: inMs(HOUR_MS) });
    await pass('members', temp);
    await organization.admit(temp.person, 'member');
    expect((await organization.call('GET', pathOf(temp))).body).toMatchObject({ until: null });
    expect(await eventsOf(temp, 'iam.membership.expired')).toHaveLength(1);
    await expiry().removeEndedMemberships();
    expect((await organization.call('GET', pathOf(temp))).status).toBe(200);
  });

  it('is announced a week and a day before, once each, by event and mail', async () => {
    const notices = app.app.get(EndNotices, { strict: false });
    const due = async (days: number) => {
      const sql = (table: string) =>
        `UPDATE ${table} SET until = now() + interval '${days} days', notice_at = notice_at - (until - now() - interval '${days} days')
         WHERE user_id = ANY($1) AND until IS NOT NULL`;
      const people = [temp.person.id, other.person.id];
      for (const table of ['members', 'member_roles']) await app.sql(sql(table), [people]);
      await Promise.all([notices.tell(), notices.tell()]);
      const told = await Promise.all([
        eventsOf(temp, 'iam.membership.expiring'),
        eventsOf(other, 'iam.role.expiring'),
      ]);
      return told.map((events) => events.length);
    };
    await changed(temp, { until: inMs(30 * DAY_MS) });
    await changed(other, { roles: ['member', { key: 'admin', until: inMs(30 * DAY_MS) }] });
    expect(await due(8)).toEqual([0, 0]);
    expect(await due(7)).toEqual([1, 1]);
    expect(await due(6)).toEqual([1, 1]);
    expect(await due(1)).toEqual([2, 2]);
    expect(await due(0.5)).toEqual([2, 2]);
    const mails = async ({ person }: Member) =>
      (await app.mails(person.email, 0)).filter((mail) => mail.includes('Your access ends soon')).length;
    await eventually('the mails', async () => (await mails(temp)) === 2 && (await mails(other)) === 2);
  });
});
