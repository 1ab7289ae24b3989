import { ulid } from 'ulid';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { withProvider } from '../../support/external.js';
import { LabConnection, oidcSettings, samlSettings } from '../../support/connection.js';
import { TestTotp } from '../../support/factors.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

const MFA = { amr: ['pwd', 'mfa'] };
const STEP_UP = { status: 401, body: { type: expect.stringContaining('insufficient'), acr: 'aal2' } };

/** An organization can trust its own provider for the second factor; that opens nothing else. */
describe('Two factors that the provider of an organization proved', () => {
  const saml = new SamlStandIn();
  const oidc = withProvider();
  let a: Organization;
  let b: Organization;
  let connection: LabConnection;
  /** Member of both, with an authenticator app of their own. */
  let ada: Person;
  let totp: TestTotp;
  const app = withApp({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    a = await Organization.found(app);
    b = await Organization.found(app);
    connection = await LabConnection.active(a, oidcSettings(oidc));
    ada = await Person.signUp(app);
    await a.admit(ada, 'member');
    await b.admit(ada, 'member');
    totp = await TestTotp.enrol(app, ada.token);
    await link(ada, 'ada', connection);
  });
  beforeEach(() => trust(true));

  const link = (person: Person, subject: string, { id, kind }: LabConnection) =>
    app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, $3, $4, $5, $6)`,
      [ulid(), person.id, kind, id, kind === 'oidc' ? oidc.issuer : saml.issuer, subject],
    );
  const trust = async (trustsSecondFactor: boolean) =>
    expect(await connection.call('PATCH', '', { trustsSecondFactor })).toMatchObject({
      status: 200,
      body: { trustsSecondFactor },
    });
  const signIn = async (sub: string, claims: object) => {
    oidc.person = { sub, email: `${sub}@${connection.domain}` };
    oidc.twist = { claims: { ...claims } };
    return (await connection.bring(oidc.visit(await connection.start()))).fragment;
  };
  const enter = (tenantId: string, token: string | undefined) =>
    app.post('select-tenant', { tenantId }, { token: token ?? '' });

  it('stand in for those of the person in that organization, and in no other', async () => {
    const { access_token: token } = await signIn('ada', MFA);
    expect(await enter(a.id, token)).toMatchObject({ status: 200 });
    expect(await enter(b.id, token)).toMatchObject(STEP_UP);
    const { status, body } = await app.post(
      'step-up',
      { method: 'totp', code: totp.next() },
      { token: token ?? '' },
    );
    expect(status).toBe(200);
    expect(await enter(b.id, String(body['accessToken']))).toMatchObject({ status: 200 });
  });

  it.each([
    ['the organization does not trust it', false, MFA],
    ['the provider proved one factor', true, { amr: ['pwd'] }],
    ['the provider says nothing', true, {}],
    ['the strength was not asked for', true, { acr: 'urn:example:strong' }],
  ])('do not where %s', async (_, trusted, claims) => {
    await trust(trusted);
    expect(await signIn('ada', claims)).toMatchObject({ error: 'second_factor_required' });
  });

  it('are known by the strength that the connection asks for', async () => {
    const other = await LabConnection.active(a, {
      ...oidcSettings(oidc),
      settings: { ...oidcSettings(oidc).settings, acrValues: ['urn:example:strong'] } as never,
    });
    await other.call('PATCH', '', { trustsSecondFactor: true });
    await link(ada, 'ada-strong', other);
    oidc.person = { sub: 'ada-strong' };
    oidc.twist = { claims: { acr: 'urn:example:strong' } };
    const { fragment } = await other.bring(oidc.visit(await other.start()));
    expect(fragment).toHaveProperty('access_token');
  });

  it('are those of the ID token, not of userinfo', async () => {
    oidc.person = { sub: 'ada', amr: ['mfa'] };
    oidc.twist = {
      claims: { amr: undefined, email: undefined },
      userInfo: { status: 200, body: { sub: 'ada', email: `ada@${connection.domain}`, amr: ['mfa'] } },
    };
    const { fragment } = await connection.bring(oidc.visit(await connection.start()));
    expect(fragment).toMatchObject({ error: 'second_factor_required' });
  });

  it('also stand in for a person who returns by a code', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    oidc.person = { sub: 'ada' };
    oidc.twist = { claims: MFA };
    const { fragment } = await connection.bring(oidc.visit(await connection.start({ codeChallenge })));
    const { status, body } = await app.post('external/token', { code: fragment['code'], codeVerifier });
    expect(status).toBe(200);
    expect((await enter(a.id, String(body['accessToken']))).status).toBe(200);
    expect(await enter(b.id, String(body['accessToken']))).toMatchObject(STEP_UP);
  });

  it('open no satellite and no client outside the organization', async () => {
    const satellite = await TestSatellite.register(app);
    const client = await RelyingParty.register(app);
    const gone = await Person.signUp(app);
    await a.admit(gone, 'member');
    await TestTotp.enrol(app, gone.token);
    await link(gone, 'gone', connection);
    const { refresh_token: refreshToken } = await signIn('gone', MFA);
    expect((await a.call('DELETE', `/members/${gone.id}`)).status).toBe(204);
    const refreshed = await app.post('refresh', { refreshToken });
    const token = String(refreshed.body['accessToken']);
    const request = {
      clientId: satellite.clientId,
      redirectUri: satellite.redirectUri,
      codeChallenge: pkce().codeChallenge,
    };
    expect(await app.post('satellite/code', request, { token })).toMatchObject(STEP_UP);
    expect(await client.approve((await client.request()).id, token)).toMatchObject(STEP_UP);
    const { access_token: own = '' } = await signIn('ada', MFA);
    expect(await app.post('satellite/code', request, { token: own })).toMatchObject({ status: 201 });
  });

  it('sign no device in outside the organization', async () => {
    const grantTypes = ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] as never;
    const client = await RelyingParty.register(app, { type: 'public', grantTypes });
    const form = { scope: 'openid', client_id: client.clientId };
    const { body } = await client.post('/oauth2/device_authorization', form, null);
    const { access_token: token = '' } = await signIn('ada', MFA);
    const entered = { userCode: body['user_code'] };
    expect(await app.post('devices/approve', entered, { token })).toMatchObject(STEP_UP);
  });

  it('change nothing of the person in other organizations', async () => {
    const { access_token: token = '' } = await signIn('ada', MFA);
    for (const [method, path, body] of [
      ['DELETE', `me/tenants/${b.id}`, undefined],
      ['DELETE', `me/keys/${ulid()}`, undefined],
      ['DELETE', `me/sessions/${ada.sessionId}`, undefined],
      ['POST', 'tenants', { name: 'Of an administrator' }],
      ['POST', 'auth/logout-all', undefined],
    ] as const)
      expect(await app.call(method, `/api/v1/iam/${path}`, body, { token })).toMatchObject(STEP_UP);
    expect((await app.get('/api/v1/iam/me/tenants', token)).status).toBe(200);
    const raised = await app.post('step-up', { method: 'totp', code: totp.next() }, { token });
    const own = { token: String(raised.body['accessToken']) };
    const left = await app.call('DELETE', `/api/v1/iam/me/keys/${ulid()}`, undefined, own);
    expect(left.status).toBe(404);
  });

  it('fulfil the policy of the organization, and open no other one to a person without a factor', async () => {
    const strict = await Organization.found(app);
    const own = await LabConnection.active(strict, samlSettings(saml));
    await own.call('PATCH', '', { trustsSecondFactor: true });
    const person = await Person.signUp(app);
    await strict.admit(person, 'member');
    await b.admit(person, 'member');
    await link(person, 'grace', own);
    const owner = await TestTotp.enrol(app, strict.owner.person.token);
    const { body: raised } = await app.post(
      'step-up',
      { method: 'totp', code: owner.next() },
      { token: strict.owner.token },
    );
    const policy = await strict.call(
      'PUT',
      '/sign-in-policy',
      { secondFactor: 'required' },
      String(raised['accessToken']),
    );
    expect(policy.status).toBe(200);
    const by = async (context: string) => {
      const form = saml.answer(await own.start(), 'grace', {
        before: (xml) => xml.replace('urn:oasis:names:tc:SAML:2.0:ac:classes:Password', context),
      });
      const { fragment } = await own.bring(form);
      expect(fragment).toHaveProperty('access_token');
      return fragment['access_token'];
    };
    const weak = await by('urn:oasis:names:tc:SAML:2.0:ac:classes:Password');
    expect(await enter(strict.id, weak)).toMatchObject(STEP_UP);
    const strong = await by('https://refeds.org/profile/mfa');
    expect(await enter(strict.id, strong)).toMatchObject({ status: 200 });
    expect(await enter(b.id, strong)).toMatchObject({ status: 401, body: { missing: ['own_proof'] } });
  });
});
