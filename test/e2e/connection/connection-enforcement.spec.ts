import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { eventually, withApp } from '../../support/test-app.js';

const INSUFFICIENT = '/errors/insufficient-user-authentication';

describe('Enforced single sign-on', () => {
  const lab = new SamlStandIn();
  let a: Organization;
  let b: Organization;
  let ofA: LabConnection;
  let ofB: LabConnection;
  /** Tokens of the owner of B, who has a second factor. */
  let owner: { readonly person: Person; readonly token: string };
  const app = withApp({ PORTAL: 'off' });
  beforeAll(async () => {
    [a, b] = [await Organization.found(app), await Organization.found(app)];
    ofA = await LabConnection.active(a, samlSettings(lab));
    ofB = await LabConnection.create(b, samlSettings(lab));
    owner = b.owner;
  });

  const set = (sso: string, token = owner.token) =>
    app.call('PUT', `${b.path}/sign-in-policy`, { sso }, { token });
  const signIn = async (connection: LabConnection, subject: string) => {
    const words = { attributes: { email: `${subject}@${connection.domain}` } };
    return (await connection.bring(lab.answer(await connection.start(), subject, { words }))).fragment;
  };
  const select = (token: unknown, { id: tenantId }: Organization) =>
    app.post('select-tenant', { tenantId }, { token: String(token) });
  const link = (connection: LabConnection, userId: string, subject: string) =>
    app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'saml', $3, $4, $5)`,
      [ulid(), userId, connection.id, lab.issuer, subject],
    );

  it('is refused before the connection was tested, and without an owner for emergencies', async () => {
    expect(await set('required')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('Test') },
    });
    await ofB.pretendTest();
    expect((await ofB.call('POST', '/activate')).status).toBe(200);
    expect(await set('required')).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('owner') },
    });
    await TestTotp.enrol(app, owner.person.token);
    owner = { ...owner, token: await owner.person.select(b.id) };
    await app.sql("UPDATE connections SET tested_at = now() - interval '25 hours' WHERE id = $1", [ofB.id]);
    expect((await set('required')).status).toBe(409);
    await ofB.pretendTest();
    expect(await set('required')).toMatchObject({ status: 200, body: { sso: 'required' } });
  });

  it('asks a member who signed in by password for the connection, in that organization alone', async () => {
    await set('optional');
    const member = await b.join('member');
    await a.admit(member.person, 'member');
    await set('required');
    const { token } = member.person;
    const refused = {
      status: 401,
      body: { type: INSUFFICIENT, methods: ['connection'], connectionId: ofB.id },
    };
    await eventually('the policy acts', async () => (await select(token, b)).status === 401);
    expect(await select(token, b)).toMatchObject(refused);
    expect(await app.get(b.path, member.token)).toMatchObject(refused);
    const probe = await app.call(
      'POST',
      '/api/auth/can',
      { scopes: ['iam:tenant:read'] },
      { token: member.token },
    );
    expect(JSON.stringify(probe.body)).toContain('authentication_insufficient');
    const { refreshToken } = member.person;
    expect(await app.post('refresh', { refreshToken, tenantId: b.id })).toMatchObject(refused);
    expect((await select(token, a)).status).toBe(200);
  });

  // Attack F12.
  it('refuses keys of members that were made without the connection, also at the feed', async () => {
    await set('optional');
    const member = await b.join('admin');
    const created = async (token: string) => {
      const { status, body } = await app.call(
        'POST',
        '/api/v1/iam/me/keys',
        { tenantId: b.id, name: 'Script' },
        { token },
      );
      expect(status).toBe(201);
      return String(body['key']);
    };
    const [former, ofOwner] = [await created(member.person.token), await created(owner.token)];
    const other = await b.join('admin');
    await TestTotp.enrol(app, other.person.token);
    const ofAdmin = await created(await other.person.select(b.id));
    const unproven = await b.join('admin');
    const ofUnproven = await created(unproven.person.token);
    await app.sql(
      "INSERT INTO member_roles (tenant_id, user_id, role_id) SELECT $1, $2, id FROM roles WHERE tenant_id = $1 AND key = 'owner'",
      [b.id, unproven.person.id],
    );
    const feed = '/api/v1/webhooks/events';
    expect((await app.get(b.path, former)).status).toBe(200);
    expect((await app.get(feed, former)).status).toBe(200);
    await set('required');
    const refused = {
      status: 403,
      body: {
        code: 'authentication_insufficient',
        detail:
          'This key was made without the single sign-on that the organization now requires. Sign in by it, and make a new key.',
      },
    };
    await eventually('the policy acts', async () => (await app.get(b.path, former)).status === 403);
    for (const path of [b.path, feed]) expect(await app.get(path, former)).toMatchObject(refused);
    const { body: probed } = await app.call(
      'POST',
      '/api/auth/can',
      { scopes: ['iam:tenant:read'] },
      { token: former },
    );
    expect(probed['iam:tenant:read']).toMatchObject({
      code: 'authentication_insufficient',
      reason: refused.body.detail,
    });
    const subject = ulid().toLowerCase();
    await link(ofB, member.person.id, subject);
    const fragment = await signIn(ofB, subject);
    // A key is the person's: a session by the connection only asks for their own proof.
    const token = String(fragment['access_token']);
    const proof = { method: 'password', password: member.person.password };
    const { accessToken } = (await app.post('step-up', proof, { token })).body;
    const byConnection = await created(String(accessToken));
    expect((await app.get(b.path, byConnection)).status).toBe(200);
    const { body } = await app.get('/api/v1/iam/me/keys', String(accessToken));
    expect(body['items']).toMatchObject([{ refusedFor: 'single_sign_on' }, { refusedFor: null }]);
    // By two factors of their own, as in an emergency: of an owner alone.
    expect((await app.get(b.path, ofOwner)).status).toBe(200);
    expect((await app.get(b.path, ofAdmin)).status).toBe(403);
    expect((await app.get(b.path, ofUnproven)).status).toBe(403);
    await app.sql('DELETE FROM member_roles WHERE user_id = $1', [unproven.person.id]);
    await set('optional');
    await eventually('the policy acts', async () => (await app.get(b.path, former)).status === 200);
  });

  it('says before who has not signed in by the connection yet', async () => {
    const impact = async (sso: string) =>
      (await app.call('POST', `${b.path}/sign-in-policy/impact`, { sso }, { token: owner.token })).body;
    await set('optional');
    const { person } = await b.join('member');
    expect(await impact('optional')).toMatchObject({ couldNotEnter: 0, owners: [] });
    const before = await impact('required');
    expect(before['owners']).toMatchObject([{ userId: owner.person.id }]);
    await link(ofA, person.id, 'counted');
    expect(await impact('required')).toEqual(before);
    await link(ofB, person.id, 'counted');
    expect(await impact('required')).toEqual({
      ...before,
      couldNotEnter: Number(before['couldNotEnter']) - 1,
    });
    await set('required');
  });

  it('counts once who has neither the connection nor the second factor, and who lacks only one', async () => {
    const impact = async (changes: object) =>
      (await app.call('POST', `${b.path}/sign-in-policy/impact`, changes, { token: owner.token })).body;
    const both = { sso: 'required', secondFactor: 'required' };
    await set('optional');
    const [bySso, byFactor] = [await b.join('member'), await b.join('member')];
    const before = await impact(both);
    await link(ofB, bySso.person.id, 'sso-alone');
    await TestTotp.enrol(app, byFactor.person.token);
    expect(await impact(both)).toEqual(before);
    await link(ofB, byFactor.person.id, 'sso-as-well');
    const couldNotEnter = Number(before['couldNotEnter']) - 1;
    expect(await impact(both)).toEqual({ ...before, couldNotEnter });
    await set('required');
  });

  it('opens by the connection, and not by that of another organization', async () => {
    await set('optional');
    const member = await b.join('member');
    await a.admit(member.person, 'member');
    await set('required');
    await link(ofA, member.person.id, 'of-a');
    await link(ofB, member.person.id, 'of-b');
    const byA = await signIn(ofA, 'of-a');
    expect(await select(byA['access_token'], b)).toMatchObject({
      status: 401,
      body: { connectionId: ofB.id },
    });
    const byB = await signIn(ofB, 'of-b');
    expect(decodeJwt(byB['access_token'] ?? '')['tid']).toBe(b.id);
    expect((await app.get(b.path, byB['access_token'])).status).toBe(200);
    const refreshed = await app.post('refresh', { refreshToken: byB['refresh_token'] });
    expect(refreshed.body['tenantId']).toBe(b.id);
  });

  it('opens by the connection of another organization only if the organization says so', async () => {
    await set('optional');
    const member = await b.join('member');
    await a.admit(member.person, 'member');
    await link(ofA, member.person.id, 'by-other');
    await link(ofB, member.person.id, 'by-own');
    const accept = (otherConnections: boolean) =>
      app.call('PUT', `${b.path}/sign-in-policy`, { otherConnections }, { token: owner.token });
    const byA = (await signIn(ofA, 'by-other'))['access_token'];
    await eventually('the policy acts', async () => {
      const { body: refused } = await select(byA, b);
      return String(refused['missing']) === 'own_proof';
    });
    const { body } = await select(byA, b);
    expect(body).toMatchObject({ type: INSUFFICIENT, methods: ['password'] });
    expect(body['detail']).toContain('another organization only');
    expect((await app.get(a.path, byA)).status).toBe(200);
    expect((await select(member.person.token, b)).status).toBe(200);
    expect((await app.get(b.path, (await signIn(ofB, 'by-own'))['access_token'])).status).toBe(200);
    expect(await accept(true)).toMatchObject({ status: 200, body: { otherConnections: true } });
    await eventually('any proof is accepted', async () => (await select(byA, b)).status === 200);
    expect((await accept(false)).status).toBe(200);
    await set('required');
  });

  it('lets an owner in by a factor of their own, once told to all owners', async () => {
    const mailsBefore = (await app.mails(owner.person.email)).length;
    for (let n = 0; n < 2; n += 1) expect((await select(owner.person.token, b)).status).toBe(200);
    await eventually(
      'the mail is there',
      async () => (await app.mails(owner.person.email)).length > mailsBefore,
    );
    const { body } = await app.call(
      'GET',
      `${b.path}/audit-events?action=sign-in-policy.entered-in-emergency`,
      undefined,
      {
        token: owner.token,
      },
    );
    expect(body['items']).toHaveLength(1);
  });

  it('lets no other member in by a factor of their own', async () => {
    await set('optional');
    const { person } = await b.join('admin');
    await TestTotp.enrol(app, person.token);
    await set('required');
    const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
    expect(decodeJwt(String(body['accessToken']))['acr']).toBe('aal2');
    await eventually('the policy acts', async () => (await select(body['accessToken'], b)).status === 401);
    expect(await select(body['accessToken'], b)).toMatchObject({
      body: { type: INSUFFICIENT, methods: ['connection'], connectionId: ofB.id },
    });
  });

  it('is lifted by an operator, for this organization alone, and is in its audit trail', async () => {
    await set('optional');
    const member = await b.join('member');
    await set('required');
    await eventually('the policy acts', async () => (await select(member.person.token, b)).status === 401);
    const lift = (id: string) => app.command('organization:lift-sso', '--organization', id);
    expect(await lift(a.id)).toEqual({ organizationId: a.id, sso: 'optional', wasRequired: false });
    expect((await select(member.person.token, b)).status).toBe(401);
    expect(await lift(b.id)).toEqual({ organizationId: b.id, sso: 'optional', wasRequired: true });
    await eventually(
      'the policy is lifted',
      async () => (await select(member.person.token, b)).status === 200,
    );
    const { body } = await app.call(
      'GET',
      `${b.path}/audit-events?action=sign-in-policy.sso-lifted`,
      undefined,
      { token: owner.token },
    );
    expect(body['items']).toHaveLength(1);
    await expect(lift('01K3V9D7Q8Z4X5N6M7P8R9S0T1')).rejects.toThrow();
    expect((await set('required')).status).toBe(200);
  });

  it('keeps the connection that it needs', async () => {
    const call = (method: string, path: string, body?: object) =>
      app.call(method, `${b.path}/connections/${ofB.id}${path}`, body, { token: owner.token });
    expect((await call('POST', '/disable')).status).toBe(409);
    expect((await call('DELETE', '')).status).toBe(409);
    const scopes = ['iam:connection:delete'];
    const subject = `gatehouse:///iam/connections/${ofB.id}`;
    const mayDelete = async () =>
      (await app.call('POST', '/api/auth/can', { scopes, subject }, { token: owner.token })).body;
    expect(JSON.stringify(await mayDelete())).toContain('The sign-in policy requires this connection.');
    expect((await call('PATCH', '', { settings: { nameIdFormat: null } })).status).toBe(409);
    expect((await call('PATCH', '', { name: 'Renamed' })).status).toBe(200);
    expect((await app.post('sign-in-options', { organization: b.id })).body).toMatchObject({
      required: true,
    });
    expect((await set('optional')).status).toBe(200);
    expect(JSON.stringify(await mayDelete())).not.toContain('requires this connection');
    expect((await call('POST', '/disable')).status).toBe(200);
  });
});
