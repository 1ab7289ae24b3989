import { ulid } from 'ulid';
import { AccessRequestExpiry } from '../../../src/iam/organizations/access-requests/access-request-expiry.js';
import { AccessCache } from '../../../src/iam/organizations/members/access-cache.js';
import type { TenantId, UserId } from '../../../src/kernel/index.js';
import { type Member, Organization } from '../../support/organization.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const HOUR_MS = 3_600_000;
const READ = 'iam:invitation:read';

/** A member asks for a role for some hours; another one, who can give it, decides. */
describe('A request for access', () => {
  let organization: Organization;
  let member: Member;
  const app = withApp();
  beforeEach(async () => {
    organization = await Organization.found(app);
    await organization.call('POST', '/roles', { key: 'reader', name: 'Reader', scopes: [READ] });
    member = await organization.join('member');
  });

  const ask = (more: object = {}, token = member.token) =>
    organization.call(
      'POST',
      '/access-requests',
      { role: 'reader', hours: 8, reason: 'Ticket 4711', ...more },
      token,
    );
  const asked = async (more: object = {}, token = member.token): Promise<string> => {
    const { status, body } = await ask(more, token);
    expect({ status, body }).toMatchObject({ status: 201, body: { status: 'pending' } });
    return String(body['id']);
  };
  const act = (what: 'approve' | 'deny' | 'withdraw', id: string, token?: string) =>
    organization.call('POST', `/access-requests/${id}/${what}`, undefined, token);
  const can = async (subject?: string) => {
    const body = { scopes: [READ], ...(subject && { subject }) };
    const answer = await app.call('POST', '/api/auth/can', body, { token: member.token });
    return (answer.body[READ] as unknown as { allowed: boolean }).allowed;
  };
  const typesOf = async (id: string) =>
    (
      await app.sql<{ type: string }>('SELECT type FROM events WHERE subject = $1 ORDER BY id', [
        `iam/access-requests/${id}`,
      ])
    ).map(({ type }) => type);

  it('gives the role for the hours once it is approved, by the clock of the database', async () => {
    const id = await asked();
    expect(await can()).toBe(false);
    const pending = ['access-request:list', '--organization', organization.id, '--pending'];
    const waiting = expect.arrayContaining([expect.objectContaining({ requestId: id, role: 'reader' })]);
    expect(await app.command(...pending)).toMatchObject({ items: waiting });
    const { status, body } = await act('approve', id);
    expect(await app.command(...pending)).not.toMatchObject({ items: waiting });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { status: 'approved', decidedBy: organization.owner.person.id, role: 'reader', on: null },
    });
    const until = new Date(String(body['until'])).getTime();
    expect(Math.abs(until - Date.now() - 8 * HOUR_MS)).toBeLessThan(60_000);
    expect(await can()).toBe(true);
    const { body: held } = await organization.call('GET', `/members/${member.person.id}`);
    expect(held['roles']).toEqual(['member', 'reader']);
    expect(held['roleEnds']).toMatchObject([{ key: 'reader' }]);
    await app.sql(
      "UPDATE member_roles SET until = now() - interval '1 second' WHERE user_id = $1 AND until IS NOT NULL",
      [member.person.id],
    );
    await app.app
      .get(AccessCache, { strict: false })
      .announceMemberships({ tenantId: organization.id as TenantId, userId: member.person.id as UserId });
    await eventually('the role ends', async () => !(await can()));
    expect(await typesOf(id)).toEqual(['iam.access-request.created', 'iam.access-request.approved']);
  });

  it('may be for one thing, and gives nothing else', async () => {
    const on = `gatehouse:///freight/orders/${ulid()}`;
    const id = await asked({ on, hours: 2 });
    expect((await act('approve', id)).body).toMatchObject({ on, status: 'approved' });
    const assigned = itemsOf<{ on: string; until: string }>(
      await organization.call('GET', `/members/${member.person.id}/assignments`),
    );
    expect(assigned).toMatchObject([{ on, role: 'reader', until: expect.any(String) as string }]);
    expect(await can()).toBe(false);
  });

  it('tells its member neither which things exist nor which requests others have made', async () => {
    const { body } = await organization.call('POST', '/service-accounts', {
      name: 'Robot',
      roles: ['member'],
    });
    const on = (id: string) => `gatehouse:///iam/service-accounts/${id}`;
    const [existing, unknown] = [await ask({ on: on(String(body['id'])) }), await ask({ on: on(ulid()) })];
    expect([existing.status, unknown.status]).toEqual([201, 201]);
    const refused = await act('approve', String(unknown.body['id']));
    expect(refused.body['violations']).toMatchObject([{ propertyPath: 'on' }]);
    expect((await act('deny', String(unknown.body['id']))).status).toBe(200);
    expect((await act('approve', String(existing.body['id']))).status).toBe(200);

    const other = await organization.join('member');
    const theirs = await asked({}, other.token);
    const told = async (id: string, { token }: Member) => {
      const { status, body: problem } = await act('withdraw', id, token);
      const scopes = ['iam:access-request:withdraw', 'iam:access-request:decide'];
      const subject = `gatehouse:///iam/access-requests/${id}`;
      const verdict = await app.call('POST', '/api/auth/can', { scopes, subject }, { token });
      return JSON.stringify([status, { ...problem, instance: '' }, verdict.body]);
    };
    expect(await told(theirs, member)).toBe(await told(ulid(), member));
    expect((await act('withdraw', theirs, other.token)).status).toBe(200);
  });

  it('never shortens what the member has', async () => {
    await organization.call('PATCH', `/members/${member.person.id}`, { roles: ['member', 'reader'] });
    await act('approve', await asked({ hours: 1 }));
    const { body } = await organization.call('GET', `/members/${member.person.id}`);
    expect([body['roles'], body['roleEnds']]).toEqual([['member', 'reader'], []]);
  });

  it('is approved by who could give the role to this member, and never by its member', async () => {
    const admin = await organization.join('admin');
    await organization.call('POST', '/roles', { key: 'boss', name: 'Boss', scopes: ['iam:tenant:archive'] });
    const above = await asked({ role: 'boss' });
    expect((await act('approve', above, admin.token)).status).toBe(400);
    const own = await asked({}, admin.token);
    expect((await act('approve', own, admin.token)).body['detail']).toBe(
      'You cannot decide about your own request. Ask another owner or admin.',
    );
    expect((await act('approve', own, member.token)).status).toBe(403);
    await organization.call('POST', '/roles', {
      key: 'decider',
      name: 'D',
      scopes: ['iam:access-request:decide', READ],
    });
    const decider = await organization.join('decider');
    const id = await asked();
    expect((await act('approve', id, decider.token)).body['code']).toBe('scope_not_held');
    expect(await can()).toBe(false);
    expect((await act('approve', id, admin.token)).status).toBe(200);
    const ofOwner = await asked({ hours: 1 }, organization.owner.token);
    expect((await act('approve', ofOwner, admin.token)).status).toBe(403);
    expect((await act('deny', ofOwner, admin.token)).status).toBe(200);
  });

  it('is decided once: of two approvals and a withdrawal at the same time, one counts', async () => {
    const admin = await organization.join('admin');
    for (let round = 0; round < 5; round += 1) {
      const id = await asked({ on: `gatehouse:///freight/orders/${ulid()}` });
      const answers = await Promise.all([
        act('approve', id),
        act('approve', id, admin.token),
        act('withdraw', id, member.token),
        act('deny', id),
      ]);
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      const [{ count } = { count: NaN }] = await app.sql<{ count: number }>(
        'SELECT count(*)::int AS count FROM audit_events WHERE subject = $1 AND action <> $2',
        [`iam/access-requests/${id}`, 'access-request.created'],
      );
      expect(count).toBe(1);
    }
  });

  it('is withdrawn by its member only, and denied with a mail', async () => {
    const id = await asked();
    expect((await act('withdraw', id)).body['detail']).toBe(
      'Only the member who asked can withdraw a request.',
    );
    expect((await act('withdraw', id, member.token)).body['status']).toBe('withdrawn');
    expect((await act('approve', id)).status).toBe(409);
    const denied = await asked();
    expect((await act('deny', denied)).body).toMatchObject({ status: 'denied', until: null });
    expect(await can()).toBe(false);
    await eventually('the mail arrives', async () =>
      (await app.mails(member.person.email)).some((mail) => mail.includes('was denied')),
    );
  });

  it('mails those who can give the role a link to a page, which decides nothing', async () => {
    const admin = await organization.join('admin');
    const id = await asked();
    const mailOf = async (of: Member) =>
      (await app.mails(of.person.email)).find((mail) => mail.includes(`/access-requests/${id}`)) ?? '';
    await eventually(
      'the mails arrive',
      async () => (await mailOf(admin)) !== '' && (await mailOf(organization.owner)) !== '',
    );
    expect(await mailOf(member)).toBe('');
    expect(await mailOf(admin)).not.toContain('Ticket 4711');
    expect((await organization.call('GET', `/access-requests/${id}`)).body['status']).toBe('pending');
  });

  it('mails only those whose approval is accepted', async () => {
    const make = (key: string, ...scopes: string[]) =>
      organization.call('POST', '/roles', { key, name: key, scopes });
    const [DECIDE, UPDATE] = ['iam:access-request:decide', 'iam:member:update'];
    await make('decides', DECIDE);
    await make('updates', UPDATE);
    await make('invites', 'iam:invitation:create');
    const assign = (of: Member, role: string, subject: string) =>
      organization.call('POST', `/members/${of.person.id}/assignments`, {
        role,
        on: `gatehouse:///${subject}`,
      });
    const requester = `iam/members/${member.person.id}`;
    const order = `freight/orders/${ulid()}`;
    const people = {
      owner: organization.owner,
      admin: await organization.join('admin'),
      'by several roles': await organization.join('member', 'reader', 'decides', 'updates'),
      'with the update of this member only': await organization.join('member', 'reader', 'decides'),
      'with the update of another member only': await organization.join('member', 'reader', 'decides'),
      'without the update of members': await organization.join('member', 'reader', 'decides'),
      'without the decision': await organization.join('member', 'reader', 'updates'),
      'with the decision on the thing only': await organization.join('member', 'reader', 'updates'),
      'without the role that is asked for': await organization.join('member', 'decides', 'updates'),
      'with that role on the thing only': await organization.join('member', 'decides', 'updates'),
      'without what the member holds': await organization.join('reader', 'decides', 'updates'),
      'with a role that has ended': await organization.join('member', 'reader', 'decides', 'updates'),
      'who is suspended': await organization.join('member', 'reader', 'decides', 'updates'),
    };
    await assign(people['with the update of this member only'], 'updates', requester);
    const { owner } = people;
    await assign(
      people['with the update of another member only'],
      'updates',
      `iam/members/${owner.person.id}`,
    );
    await assign(people['with the decision on the thing only'], 'decides', order);
    await assign(people['with that role on the thing only'], 'reader', order);
    await app.sql(
      `UPDATE member_roles mr SET until = now() - interval '1 second' FROM roles r
       WHERE mr.user_id = $1 AND r.tenant_id = mr.tenant_id AND r.id = mr.role_id AND r.key = 'decides'`,
      [people['with a role that has ended'].person.id],
    );
    await app.app.get(AccessCache, { strict: false }).announceMemberships({
      tenantId: organization.id as TenantId,
      userId: people['with a role that has ended'].person.id as UserId,
    });
    await organization.call('POST', `/members/${people['who is suspended'].person.id}/suspend`);
    /** Asks, and returns who is mailed and, afterwards, whose approval is accepted. */
    const outcome = async (by: Member) => {
      const id = await asked({ on: `gatehouse:///${order}` }, by.token);
      const page = new RegExp(`/access-requests/${id}`);
      const waiting = "SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'mail.send'";
      await eventually('no mail waits', async () => (await app.sql(waiting)).length === 0);
      const mailed: string[] = [];
      const accepted: string[] = [];
      for (const [who, { person, token }] of Object.entries(people)) {
        if ((await app.mails(person.email)).some((mail) => page.test(mail))) mailed.push(who);
        if ((await act('approve', id, token)).status !== 200) continue;
        accepted.push(who);
        await app.sql(
          `WITH gone AS (DELETE FROM role_assignments a USING roles r
             WHERE a.user_id = $2 AND r.tenant_id = a.tenant_id AND r.id = a.role_id AND r.key = 'reader')
           UPDATE access_requests SET status = 'pending', until = NULL, decided_at = NULL, decided_by = NULL WHERE id = $1`,
          [id, by.person.id],
        );
      }
      expect((await act('withdraw', id, by.token)).status).toBe(200);
      return { mailed, accepted };
    };
    const byMember = await outcome(member);
    expect(byMember.mailed).toEqual(byMember.accepted);
    expect(byMember.accepted).toEqual([
      'owner',
      'admin',
      'by several roles',
      'with the update of this member only',
    ]);
    await assign(member, 'invites', order);
    const above = await outcome(member);
    expect(above.mailed).toEqual(above.accepted);
    expect(above.accepted).toEqual(['owner', 'admin']);
    const byOwner = await outcome(owner);
    expect(byOwner).toEqual({ mailed: [], accepted: [] });
    await organization.call('PATCH', `/members/${people.admin.person.id}`, { roles: ['owner'] });
    const byOneOfTwoOwners = await outcome(owner);
    expect(byOneOfTwoOwners).toEqual({ mailed: ['admin'], accepted: ['admin'] });
  });

  it('expires after seven days, whether or not the cleanup has run', async () => {
    const id = await asked();
    await app.sql("UPDATE access_requests SET expires_at = now() - interval '1 second' WHERE id = $1", [id]);
    expect((await act('approve', id)).status).toBe(409);
    expect((await organization.call('GET', `/access-requests/${id}`)).body['status']).toBe('expired');
    expect(itemsOf(await organization.call('GET', '/access-requests?status=pending'))).toEqual([]);
    await asked();
    const expiry = app.app.get(AccessRequestExpiry, { strict: false });
    await expiry.noteExpired();
    expect(await typesOf(id)).toEqual(['iam.access-request.created', 'iam.access-request.expired']);
    await app.sql("UPDATE access_requests SET expires_at = now() - interval '91 days' WHERE id = $1", [id]);
    while (await expiry.removeOld());
    expect((await organization.call('GET', `/access-requests/${id}`)).status).toBe(404);
  });

  it('is read by its member and those who decide, in pages', async () => {
    const other = await organization.join('member');
    const [mine, theirs] = [await asked(), await asked({}, other.token)];
    const list = async (token?: string, query = '') =>
      itemsOf<{ id: string }>(
        await organization.call('GET', `/access-requests?${query}`, undefined, token),
      ).map(({ id }) => id);
    expect(await list()).toEqual([mine, theirs]);
    expect(await list(member.token)).toEqual([mine]);
    expect(await list(undefined, 'limit=1')).toEqual([mine]);
    await act('deny', mine);
    expect(await list(undefined, 'status=pending')).toEqual([theirs]);
    expect(await list(undefined, 'status=denied')).toEqual([mine]);
    expect(
      (await organization.call('GET', `/access-requests/${theirs}`, undefined, member.token)).status,
    ).toBe(404);
    const stranger = await Organization.found(app);
    expect((await stranger.call('GET', `/access-requests/${theirs}`)).status).toBe(404);
    expect((await stranger.call('POST', `/access-requests/${theirs}/approve`)).status).toBe(404);
  });

  it('is bounded: by the hours of the organization, once for each role, and in number', async () => {
    expect((await ask({ hours: 25 })).body['violations']).toMatchObject([{ propertyPath: 'hours' }]);
    const set = (maxHours: number, token?: string) =>
      organization.call('PUT', '/access-request-policy', { maxHours }, token);
    expect((await set(48, member.token)).status).toBe(403);
    expect((await set(48)).body).toEqual({ maxHours: 48 });
    expect((await organization.call('GET', '/access-request-policy', undefined, member.token)).body).toEqual({
      maxHours: 48,
    });
    await asked({ hours: 25 });
    expect((await ask({ hours: 1 })).body['detail']).toBe(
      'You have asked for this already. Wait for the decision, or withdraw it.',
    );
    for (let n = 1; n < 20; n += 1) await asked({ on: `gatehouse:///freight/orders/${ulid()}` });
    expect((await ask({ on: `gatehouse:///freight/orders/${ulid()}` })).status).toBe(409);
    await set(0);
    expect((await ask({}, (await organization.join('member')).token)).status).toBe(400);
    expect((await ask({ role: 'owner' })).body['violations']).toMatchObject([{ propertyPath: 'hours' }]);
    await set(24);
    expect((await ask({ role: 'owner' })).body['violations']).toMatchObject([{ propertyPath: 'role' }]);
    expect((await ask({ role: 'nothing' })).body['violations']).toMatchObject([{ propertyPath: 'role' }]);
  });

  it('goes with the membership', async () => {
    const id = await asked();
    await organization.call('DELETE', `/members/${member.person.id}`);
    expect((await organization.call('GET', `/access-requests/${id}`)).status).toBe(404);
  });
});
