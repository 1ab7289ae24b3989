import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { beganAgo, claimsOf, signedInAgo } from '../../support/aged.js';
import { login, TestTotp } from '../../support/factors.js';
import { type Member, Organization, Person, setSignInPolicy } from '../../support/organization.js';
import { TestSatellite } from '../../support/satellite.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { type Answer, createDatabase, eventually, itemsOf, TestApp } from '../../support/test-app.js';

const POLICY = '/sign-in-policy';
const NONE = {
  secondFactor: 'optional',
  graceDays: 0,
  sso: 'optional',
  otherConnections: false,
  trustedDevices: true,
  maxAuthAgeSeconds: null,
  sessionMaxHours: null,
  supportAccess: 'never',
  stations: 'off',
  pinReset: 'second-factor',
};
const REQUIRED = { secondFactor: 'required' };
const INSUFFICIENT = '/errors/insufficient-user-authentication';
/** The bound of API-5. */
const WITHIN_MS = 1_000;
const DAY_MS = 86_400_000;

/** A member with an app, and tokens of a session that began before they had it. */
interface Enrolled extends Member {
  readonly totp: TestTotp;
}

describe('The sign-in policy of an organization', () => {
  let app: TestApp;
  let replica: TestApp;
  let organization: Organization;
  beforeAll(async () => {
    const shared = {
      DATABASE_URL: await createDatabase(),
      ROOT_SECRET: randomBytes(32).toString('base64'),
      DATA_DIR: temporaryFolder('policy'),
    };
    app = await TestApp.start(shared);
    replica = await TestApp.start(shared);
  });
  afterAll(async () => {
    await replica.stop();
    await app.stop();
  });
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const set = (policy: object, token?: string, below = POLICY) =>
    organization.call('PUT', below, policy, token);
  const select = (token: string, service = app) =>
    service.post('select-tenant', { tenantId: organization.id }, { token });
  const refresh = (refreshToken: unknown, tenantId?: string) =>
    app.post('refresh', { refreshToken, ...(tenantId !== undefined && { tenantId }) });
  const read = (token: string, service = app) => service.get(organization.path, token);
  const probe = async (token: string, ...scopes: string[]) =>
    (await app.call('POST', '/api/auth/can', { scopes }, { token })).body;

  /** Lets the owner prove two factors. @returns their token for the organization */
  async function strongOwner(): Promise<string> {
    const { person } = organization.owner;
    await TestTotp.enrol(app, person.token);
    return person.select(organization.id);
  }

  /** Sets a policy by an owner with two factors. */
  async function require(policy: object): Promise<string> {
    const token = await strongOwner();
    expect(await set(policy, token)).toMatchObject({ status: 200 });
    return token;
  }

  async function enrolledMember(): Promise<Enrolled> {
    const member = await organization.join('member');
    const { token } = await Person.again(member.person);
    return { ...member, totp: await TestTotp.enrol(app, token) };
  }

  const stepUp = (token: string, totp: TestTotp, service = app) =>
    service.post('step-up', { method: 'totp', code: totp.next() }, { token });

  /** Waits until every replica refuses the token, no longer than the bound. */
  async function refusedEverywhere(token: string): Promise<Answer> {
    const began = performance.now();
    for (const service of [app, replica])
      await eventually('the token is refused', async () => (await read(token, service)).status === 401);
    expect(performance.now() - began).toBeLessThan(WITHIN_MS);
    return read(token, replica);
  }

  /** Moves the beginning of the policy, as if it had been set then, and the members' joining. */
  async function setSince(ms: number): Promise<void> {
    const since = new Date(Date.now() - ms);
    await app.sql(
      `WITH joined AS (UPDATE members SET joined_at = $2 WHERE tenant_id = $1 RETURNING tenant_id, user_id), changed AS (
         UPDATE tenants SET sign_in_policy = jsonb_set(sign_in_policy, '{secondFactorSince}', to_jsonb($3::text)) WHERE id = $1 RETURNING id)
       SELECT pg_notify('gatehouse_tenant_changed', id), pg_notify('gatehouse_membership_changed', tenant_id || ':' || user_id) FROM changed, joined`,
      [organization.id, since, since.toISOString()],
    );
  }

  describe('as it is set', () => {
    it('asks for nothing at first, and answers as it was set', async () => {
      const first = await organization.call('GET', POLICY);
      expect(first).toMatchObject({ status: 200, body: NONE });
      const token = await strongOwner();
      const changed = await set({ ...REQUIRED, graceDays: 7, sessionMaxHours: 12 }, token);
      const expected = { ...NONE, secondFactor: 'required', graceDays: 7, sessionMaxHours: 12 };
      expect(changed).toMatchObject({ status: 200, body: expected });
      expect(await organization.call('GET', POLICY, undefined, token)).toMatchObject({ body: expected });
      const again = await set({ trustedDevices: false, sessionMaxHours: null }, token);
      expect(again.body).toEqual({ ...expected, trustedDevices: false, sessionMaxHours: null });
      const events = itemsOf(await organization.call('GET', '/audit-events', undefined, token));
      expect(events[0]).toMatchObject({
        action: 'sign-in-policy.changed',
        actorId: organization.owner.person.id,
        subject: `iam/sign-in-policies/${organization.id}`,
      });
    });

    it('is read and set by admins, not by members', async () => {
      const [admin, member] = [await organization.join('admin'), await organization.join('member')];
      const change = { maxAuthAgeSeconds: 3_600 };
      expect((await organization.call('GET', POLICY, undefined, admin.token)).status).toBe(200);
      expect((await set(change, admin.token)).status).toBe(200);
      for (const [method, below] of [
        ['GET', POLICY],
        ['PUT', POLICY],
        ['GET', `${POLICY}/impact`],
        ['POST', `${POLICY}/impact`],
      ] as const)
        expect(
          await organization.call(method, below, method === 'GET' ? undefined : change, member.token),
        ).toMatchObject({ status: 403, body: { code: 'scope_not_held' } });
    });

    it('is set by a recent sign-in only, and not by a satellite without the scope', async () => {
      const { person } = organization.owner;
      const satellite = await TestSatellite.withScopes(app, 'iam:sign-in-policy:read');
      const visit = await satellite.signIn(organization.owner.token);
      expect(await set({ graceDays: 1 }, visit.accessToken)).toMatchObject({ status: 403 });
      const { accessToken } = await signedInAgo(app, person);
      expect(await set({ graceDays: 1 }, accessToken)).toMatchObject({
        status: 401,
        body: { type: INSUFFICIENT, maxAge: 600, methods: ['password'] },
      });
    });

    it.each<[object, string]>([
      [{ sso: 'always' }, 'sso'],
      [{ supportAccess: 'sometimes' }, 'supportAccess'],
      [{ secondFactor: 'sms' }, 'secondFactor'],
      [{ secondFactor: null }, 'secondFactor'],
      [{ graceDays: 31 }, 'graceDays'],
      [{ graceDays: -1 }, 'graceDays'],
      [{ maxAuthAgeSeconds: 299 }, 'maxAuthAgeSeconds'],
      [{ sessionMaxHours: 0 }, 'sessionMaxHours'],
      [{ sessionMaxHours: 2_161 }, 'sessionMaxHours'],
      [{ trustedDevices: 'no' }, 'trustedDevices'],
    ])('is refused with %j', async (policy, field) => {
      const refused = { status: 400, body: { violations: [{ propertyPath: field }] } };
      expect(await set(policy)).toMatchObject(refused);
      expect(await organization.call('POST', `${POLICY}/impact`, policy)).toMatchObject(refused);
      expect((await organization.call('GET', POLICY)).body).toEqual(NONE);
    });

    it.each<[string, object]>([
      ['two factors', REQUIRED],
      ['two factors, grace days or not', { ...REQUIRED, graceDays: 30 }],
      ['a passkey', { secondFactor: 'phishing_resistant' }],
    ])('is refused to a caller without %s', async (_, policy) => {
      expect(await set(policy)).toMatchObject({
        status: 409,
        body: { type: '/errors/conflict', detail: expect.stringContaining('Your own sign-in') },
      });
      expect((await organization.call('GET', POLICY)).body).toEqual(NONE);
    });

    it('is refused to a caller whose session is older than it allows', async () => {
      const { accessToken } = await beganAgo(app, organization.owner.person, 7_300);
      expect(await set({ sessionMaxHours: 2 }, accessToken)).toMatchObject({ status: 409 });
      expect(await set({ sessionMaxHours: 3 }, accessToken)).toMatchObject({ status: 200 });
    });
  });

  describe('that requires a second factor', () => {
    it('refuses the token of a member within a second on each replica, and accepts their session after a step-up', async () => {
      const { token, totp } = await enrolledMember();
      expect((await read(token)).status).toBe(200);
      expect((await read(token, replica)).status).toBe(200);
      await require(REQUIRED);
      const refused = await refusedEverywhere(token);
      expect(refused.body).toMatchObject({
        type: INSUFFICIENT,
        code: 'authentication_insufficient',
        acr: 'aal2',
        methods: ['totp', 'recovery_code'],
        detail: 'This organization requires a second factor. Confirm with yours, or add one first.',
      });
      expect(refused.body).not.toHaveProperty('enrol');
      expect(refused.headers.get('www-authenticate')).toBe(
        'Bearer error="insufficient_user_authentication", acr_values="aal2"',
      );
      const confirmed = await stepUp(token, totp, replica);
      expect(confirmed).toMatchObject({ status: 200, body: { tenantId: organization.id } });
      const strong = String(confirmed.body['accessToken']);
      expect(claimsOf(strong)['sid']).toBe(claimsOf(token)['sid']);
      for (const service of [app, replica]) expect((await read(strong, service)).status).toBe(200);
      expect((await read(token)).status).toBe(401);
    });

    it('is judged by the permission check as by the command, after the tenant and before all else', async () => {
      const { token } = await organization.join('member');
      await require(REQUIRED);
      await refusedEverywhere(token);
      const denied = {
        allowed: false,
        code: 'authentication_insufficient',
        reason: 'This organization requires a second factor. Confirm with yours, or add one first.',
      };
      expect(await probe(token, 'iam:member:read', 'iam:tenant:archive', 'iam:no:scope')).toMatchObject({
        'iam:member:read': denied,
        'iam:tenant:archive': denied,
        'iam:no:scope': { code: 'unknown_scope' },
      });
      const { token: withoutTenant } = await Person.signUp(app);
      expect(await probe(withoutTenant, 'iam:member:read')).toMatchObject({
        'iam:member:read': { code: 'tenant_required' },
      });
      const command = await organization.call(
        'POST',
        '/invitations',
        { email: 'a@b.example', roles: ['owner'] },
        token,
      );
      expect(command).toMatchObject({ status: 401, body: { code: denied.code, detail: denied.reason } });
    });

    it('gives no tenant: at a selection, at a refresh into it, and silently at another refresh', async () => {
      const { person, totp } = await enrolledMember();
      await require(REQUIRED);
      const insufficient = { status: 401, body: { type: INSUFFICIENT, acr: 'aal2' } };
      await eventually('the replica knows', async () => (await select(person.token, replica)).status === 401);
      expect(await select(person.token)).toMatchObject(insufficient);
      expect(await refresh(person.refreshToken, organization.id)).toMatchObject(insufficient);
      const rotated = await refresh(person.refreshToken); // it was not rotated before
      expect(rotated).toMatchObject({ status: 200, body: { tenantId: null } });
      expect(claimsOf(rotated.body['accessToken'])).not.toHaveProperty('tid');
      expect(claimsOf(rotated.body['accessToken'])).not.toHaveProperty('scope');
      const confirmed = await stepUp(String(rotated.body['accessToken']), totp);
      expect(confirmed.body).toMatchObject({ tenantId: null });
      expect(await select(String(rotated.body['accessToken']))).toMatchObject({ status: 200 });
      const next = await refresh(rotated.body['refreshToken']);
      expect(next.body).toMatchObject({ tenantId: organization.id });
      expect(next.body).not.toHaveProperty('secondFactorBy');
    });

    it('does not show strangers that it exists', async () => {
      await require(REQUIRED);
      const stranger = await Person.signUp(app);
      expect(await select(stranger.token)).toMatchObject({
        status: 403,
        body: { type: '/errors/not-a-member' },
      });
      expect(await refresh(stranger.refreshToken, organization.id)).toMatchObject({ status: 403 });
    });

    it('keeps the tenant of the session that was selected before, until it is strong enough', async () => {
      const { person, totp } = await enrolledMember();
      await require(REQUIRED);
      const weak = await refresh(person.refreshToken);
      expect(weak.body['tenantId']).toBeNull();
      await stepUp(String(weak.body['accessToken']), totp);
      expect((await refresh(weak.body['refreshToken'])).body['tenantId']).toBe(organization.id);
    });

    it('leads a member without a factor to enrolment, and leaves them all that needs no organization', async () => {
      const { person, token } = await organization.join('member');
      await require(REQUIRED);
      expect((await refusedEverywhere(token)).body).toMatchObject({ enrol: true, methods: [] });
      const own = (path: string) => app.get(path, token);
      for (const path of ['/api/v1/iam/me', '/api/v1/iam/me/sessions', '/api/v1/iam/me/tenants'])
        expect([path, (await own(path)).status]).toEqual([path, 200]);
      await TestTotp.enrol(app, token);
      expect((await read(await person.select(organization.id))).status).toBe(200);
      expect((await app.post('logout', {}, { token })).status).toBe(204);
    });

    it('lets a member leave who cannot enter', async () => {
      const { person, token } = await organization.join('member');
      await require(REQUIRED);
      await refusedEverywhere(token);
      expect(await probe(token, 'iam:tenant:leave')).toEqual({ 'iam:tenant:leave': { allowed: true } });
      expect((await organization.call('POST', '/leave', undefined, token)).status).toBe(204);
      expect((await select(person.token)).status).toBe(403);
    });

    it('lets a member leave who has no token for it, and no other caller', async () => {
      const { person } = await organization.join('member');
      await require(REQUIRED);
      const leave = (token: string, id = organization.id) =>
        app.call('DELETE', `/api/v1/iam/me/tenants/${id}`, undefined, { token });
      const stranger = await Person.signUp(app);
      for (const id of [organization.id, '01ARZ3NDEKTSV4RRFFQ69G5FAV', 'none', '%00'])
        expect((await leave(stranger.token, id)).status).toBe(404);
      expect(await leave(organization.owner.person.token)).toMatchObject({
        status: 403,
        body: { code: 'state_forbids', detail: expect.stringContaining('last owner') },
      });
      const satellite = await TestSatellite.withScopes(app, '*');
      expect((await leave((await satellite.signIn(person.token)).accessToken)).status).toBe(403);
      expect((await leave(person.token)).status).toBe(204);
      expect((await leave(person.token)).status).toBe(404);
      expect((await select(person.token)).status).toBe(403);
      const token = await organization.owner.person.select(organization.id);
      const members = itemsOf<{ userId: string }>(
        await organization.call('GET', '/members', undefined, token),
      );
      expect(members.map(({ userId }) => userId)).toEqual([organization.owner.person.id]);
      const [event] = itemsOf(await organization.call('GET', '/audit-events', undefined, token));
      expect(event).toMatchObject({ action: 'member.left', actorId: person.id });
    });

    it('asks a satellite of the same session for the same', async () => {
      const member = await enrolledMember();
      const satellite = await TestSatellite.withScopes(app, '*');
      const visit = await satellite.signIn(member.token);
      expect((await read(visit.accessToken)).status).toBe(200);
      await require(REQUIRED);
      await refusedEverywhere(visit.accessToken);
      const weak = await satellite.refresh(visit.refreshToken);
      expect(weak.body).toMatchObject({ tenantId: null });
      await stepUp(member.token, member.totp);
      const strong = await satellite.refresh(weak.body['refreshToken']);
      expect(strong.body).toMatchObject({ tenantId: organization.id });
      expect((await read(String(strong.body['accessToken']))).status).toBe(200);
      expect((await read(String((await satellite.signIn(member.token)).accessToken))).status).toBe(200);
    });

    it('acts in this organization alone', async () => {
      const { person } = await organization.join('member');
      const other = await Organization.found(app, person);
      await require(REQUIRED);
      expect((await app.get(other.path, other.owner.token)).status).toBe(200);
      expect((await select(person.token)).status).toBe(401);
    });

    it('is given up again within a second', async () => {
      const { token } = await organization.join('member');
      const owner = await require(REQUIRED);
      await refusedEverywhere(token);
      expect((await set({ secondFactor: 'optional' }, owner)).status).toBe(200);
      for (const service of [app, replica])
        await eventually('the token is accepted', async () => (await read(token, service)).status === 200);
    });

    it('keeps the last authenticator of its members', async () => {
      const { person, token, totp } = await enrolledMember();
      await require(REQUIRED);
      const strong = String((await stepUp(token, totp)).body['accessToken']);
      const remove = (id: string, by = strong) =>
        app.call('DELETE', `/api/v1/iam/me/authenticators/${id}`, undefined, { token: by });
      const second = await TestTotp.enrol(app, strong);
      expect((await remove(totp.id)).status).toBe(204);
      expect(await remove(second.id)).toMatchObject({
        status: 409,
        body: { type: '/errors/conflict', detail: expect.stringContaining('An organization of yours') },
      });
      expect((await app.get('/api/v1/iam/me/authenticators', strong)).body['items']).toHaveLength(1);
      await organization.call('POST', '/leave', undefined, strong);
      const { body } = await refresh(person.refreshToken);
      expect((await remove(second.id, String(body['accessToken']))).status).toBe(204);
    });
  });

  it('that requires a passkey keeps the last passkey of its members', async () => {
    const { person } = await organization.join('member');
    const insert = (name: string) =>
      app.sql<{ id: string }>(
        `INSERT INTO passkeys (account_id, id, name, credential_id, public_key, sign_count, backup_eligible, backed_up, transports)
         VALUES ($1, $2, $3, $4, '', 0, false, false, '{}') RETURNING id`,
        [person.id, ulid(), name, randomBytes(16)],
      );
    const [[first], [second]] = [await insert('First'), await insert('Second')];
    await app.sql('UPDATE sessions SET aal2_at = now(), phr_at = now() WHERE id = $1', [person.sessionId]);
    const { body } = await refresh(person.refreshToken);
    const totp = await TestTotp.enrol(app, String(body['accessToken']));
    await setSignInPolicy(organization, { secondFactor: 'phishing_resistant' });
    const remove = (id: string | undefined) =>
      app.call('DELETE', `/api/v1/iam/me/authenticators/${id}`, undefined, {
        token: String(body['accessToken']),
      });
    expect((await remove(totp.id)).status).toBe(204);
    expect((await remove(first?.id)).status).toBe(204);
    expect(await remove(second?.id)).toMatchObject({ status: 409 });
    await TestTotp.enrol(app, String(body['accessToken']));
    expect(await remove(second?.id)).toMatchObject({ status: 409 });
    await setSignInPolicy(organization, { secondFactor: 'required' });
    expect((await remove(second?.id)).status).toBe(204);
  });

  describe('with grace days', () => {
    it('says until when a member is accepted without a factor, and refuses them then', async () => {
      const { person, token } = await organization.join('member');
      await require({ ...REQUIRED, graceDays: 3 });
      const selected = await select(person.token);
      const by = Date.parse(String(selected.body['secondFactorBy']));
      expect(Math.abs(by - Date.now() - 3 * DAY_MS)).toBeLessThan(60_000);
      expect((await refresh(person.refreshToken)).body).toMatchObject({
        tenantId: organization.id,
        secondFactorBy: selected.body['secondFactorBy'],
      });
      expect((await read(token)).status).toBe(200);
      await setSince(3 * DAY_MS);
      expect((await refusedEverywhere(token)).body).toMatchObject({ enrol: true });
      expect((await select(person.token)).status).toBe(401);
    });

    it('counts them for a later member from their joining', async () => {
      await require({ ...REQUIRED, graceDays: 3 });
      await setSince(10 * DAY_MS);
      await eventually('the first member is refused', async () => {
        const { token } = organization.owner; // of a sign-in by one factor
        return (await read(token)).status === 401;
      });
      const owner = await organization.owner.person.select(organization.id);
      const email = `late-${randomBytes(6).toString('hex')}@example.com`;
      const late = await Person.signUp(app, email);
      const { length: mailed } = await app.mails(email);
      const invited = await organization.call('POST', '/invitations', { email, roles: ['member'] }, owner);
      expect(invited.status).toBe(201);
      const token = await app.mailedToken(email, mailed + 1);
      await app.post('accept-invitation', { token }, { token: late.token });
      const selected = await select(late.token);
      expect(selected.status).toBe(200);
      expect(Date.parse(String(selected.body['secondFactorBy']))).toBeGreaterThan(Date.now() + 2 * DAY_MS);
    });

    it('does not start them again with another change of the policy', async () => {
      const { token } = await organization.join('member');
      const owner = await require({ ...REQUIRED, graceDays: 3 });
      await setSince(3 * DAY_MS);
      await refusedEverywhere(token);
      await set({ trustedDevices: false, secondFactor: 'required' }, owner);
      expect((await read(token)).status).toBe(401);
    });
  });

  describe('of trusted devices and ages', () => {
    const trusted = async (): Promise<Member & { totp: TestTotp }> => {
      const member = await organization.join('member');
      const { person } = member;
      const totp = await TestTotp.enrol(app, person.token);
      const { body } = await login(app, person);
      const remembered = await app.post('second-factor', {
        challenge: body['challenge'],
        method: 'totp',
        code: totp.next(),
        rememberDevice: true,
      });
      const { email, password } = person;
      const session = await app.post('login', {
        email,
        password,
        deviceToken: remembered.body['deviceToken'],
      });
      const accessToken = String(session.body['accessToken']);
      expect(claimsOf(accessToken)).toMatchObject({ acr: 'aal1', trusted_device: true });
      const selected = await select(accessToken);
      return { person, token: String(selected.body['accessToken']), totp };
    };

    it('accepts a trusted device as a factor, unless the policy forbids it', async () => {
      const { token, totp } = await trusted();
      const owner = await require(REQUIRED);
      expect((await read(token)).status).toBe(200);
      await set({ trustedDevices: false }, owner);
      await refusedEverywhere(token);
      const strong = await stepUp(token, totp);
      expect((await read(String(strong.body['accessToken']))).status).toBe(200);
      await set({ secondFactor: 'optional' }, owner);
      expect((await read(token)).status).toBe(401);
    });

    it('asks for a sign-in of the maximum age', async () => {
      const { person, token } = await organization.join('member');
      await set({ maxAuthAgeSeconds: 300 });
      expect((await read(token)).status).toBe(200);
      const aged = await signedInAgo(app, person, 360);
      expect(claimsOf(aged.accessToken)).not.toHaveProperty('tid');
      expect(await select(aged.accessToken)).toMatchObject({
        status: 401,
        body: { type: INSUFFICIENT, acr: 'aal1', maxAge: 300, methods: ['password'] },
      });
      const { password } = person;
      await app.post('step-up', { method: 'password', password }, { token: aged.accessToken });
      expect((await select(aged.accessToken)).status).toBe(200);
    });

    it('asks for another session after the maximum age, whatever is confirmed in it', async () => {
      const { person } = await organization.join('member');
      await set({ sessionMaxHours: 2 });
      const aged = await beganAgo(app, person, 7_300);
      expect(claimsOf(aged.accessToken)).not.toHaveProperty('tid');
      const refused = await select(aged.accessToken);
      expect(refused).toMatchObject({
        status: 401,
        body: { detail: 'Your session is too old for this organization. Sign in again.', methods: [] },
      });
      expect(refused.body).not.toHaveProperty('enrol');
      const { password } = person;
      await app.post('step-up', { method: 'password', password }, { token: aged.accessToken });
      expect((await select(aged.accessToken)).status).toBe(401);
      expect((await select((await Person.again(person)).token)).status).toBe(200);
    });
  });

  describe('before it is set', () => {
    const impact = (query: string) => organization.call('GET', `${POLICY}/impact${query}`);

    it('shows how many could not enter, and which owners', async () => {
      await enrolledMember();
      await organization.join('member');
      const heir = await organization.join('owner');
      const { person } = organization.owner;
      expect((await impact('')).body).toEqual({
        members: 4,
        couldNotEnter: 0,
        owners: [],
        callerSatisfies: true,
      });
      const required = await impact('?secondFactor=required');
      expect(required.body).toMatchObject({ members: 4, couldNotEnter: 3 });
      const { owners } = required.body as unknown as { owners: { userId: string }[] };
      expect(owners.map(({ userId }) => userId).toSorted()).toEqual([person.id, heir.person.id].toSorted());
      expect(owners[0]).toMatchObject({ email: expect.any(String), firstName: expect.any(String) });
      const preview = await organization.call('POST', `${POLICY}/impact`, {
        secondFactor: 'phishing_resistant',
      });
      expect(preview.body).toMatchObject({ members: 4, couldNotEnter: 4, callerSatisfies: false });
      const open = await organization.call('POST', `${POLICY}/impact`, { maxAuthAgeSeconds: 3_600 });
      expect(open.body).toMatchObject({ couldNotEnter: 0, callerSatisfies: true });
      expect((await organization.call('GET', POLICY)).body).toEqual(NONE);
    });

    it('shows which members have a second factor, to those who may read the policy', async () => {
      const enrolled = await enrolledMember();
      const without = await organization.join('member');
      const stranger = await Organization.found(app);
      const userIds = [enrolled, without, stranger.owner].map(({ person }) => person.id);
      const ask = (body: object, as?: string) =>
        organization.call('POST', `${POLICY}/second-factors`, body, as);
      expect((await ask({ userIds })).body).toEqual({ userIds: [enrolled.person.id] });
      expect((await ask({ userIds }, without.token)).status).toBe(403);
      expect((await ask({ userIds: ['x'] })).status).toBe(400);
    });

    it('counts the members of this organization alone', async () => {
      const other = await Organization.found(app);
      await other.join('member');
      expect((await impact('?secondFactor=required')).body).toMatchObject({ members: 1, couldNotEnter: 1 });
      expect(
        await other.service.get(`${organization.path}${POLICY}/impact`, other.owner.token),
      ).toMatchObject({
        status: 404,
      });
    });
  });
});
