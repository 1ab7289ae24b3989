import { randomBytes, randomUUID } from 'node:crypto';
import { decodeJwt, generateKeyPair, SignJWT } from 'jose';
import { ulid } from 'ulid';
import { CertifiedProvider } from '../../lab/certified-provider.js';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { LabConnection, oidcSettings, samlSettings } from '../../support/connection.js';
import { CookieJar } from '../../support/cookie-jar.js';
import { TestTotp } from '../../support/factors.js';
import { Organization, Person, setSignInPolicy } from '../../support/organization.js';
import { ProofKey } from '../../support/proof-key.js';
import { wayOut } from '../../support/redirects.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator } from '../../support/satellite.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { eventually, TestApp, withApp } from '../../support/test-app.js';

const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ISSUER = 'http://gatehouse.test';
const ORDERS = 'https://orders.example/api';
const SHARED = 'https://shared.example';
const TYP = 'oauth-id-jag+jwt';
const SCOPES = [
  { name: 'read', title: 'Read orders' },
  { name: 'write', title: 'Change orders' },
  { name: 'admin', title: 'Manage orders', roles: ['admin'] },
  { name: 'pay', title: 'Pay orders', maxAge: 900 },
];
const SETTINGS = {
  PORTAL: 'off',
  CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
  ROOT_SECRET: randomBytes(32).toString('base64'),
};
const REFUSED = { status: 400, body: { error: 'invalid_grant' } };

type Claims = Readonly<Record<string, unknown>>;

/** Draft-ietf-oauth-identity-assertion-authz-grant, as the authorization server of the resource. */
describe('An identity assertion', () => {
  const providers: { close(): Promise<void> }[] = [];
  let operator: Person;
  let oidc: OidcStandIn;
  let organization: Organization;
  let connection: LabConnection;
  let client: RelyingParty;
  let credential: string;
  let ada: Person;
  const app = withApp(SETTINGS);
  beforeAll(async () => {
    operator = await signUpOperator(app);
    oidc = await provider();
    organization = await Organization.found(app);
    connection = await trustedConnection(organization, oidc);
    ({ client, credential } = await clientOf(organization, ORDERS));
    ada = await Person.signUp(app);
    await organization.admit(ada, 'member');
    await link(ada, 'ada');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => Promise.all(providers.map((one) => one.close())));

  const provider = async () => {
    const started = await OidcStandIn.start();
    providers.push(started);
    return started;
  };
  const trustedConnection = async (owner: Organization, from: OidcStandIn) => {
    const created = await LabConnection.active(owner, oidcSettings(from));
    expect(await created.call('PATCH', '', { identityAssertions: true })).toMatchObject({
      status: 200,
      body: { identityAssertions: true, status: 'active' },
    });
    return created;
  };
  /** A client of an organization, with an API of it. */
  const clientOf = async (owner: Organization, identifier: string, more: object = {}) => {
    const { body: api } = await owner.call('POST', '/apis', { identifier, name: 'Orders', scopes: SCOPES });
    const created = await owner.call('POST', '/clients', { name: 'Wiki', grantTypes: [JWT_BEARER], ...more });
    expect([created.status, created.body]).toEqual([201, expect.anything()]);
    const [clientId, clientSecret] = [String(created.body['clientId']), String(created.body['clientSecret'])];
    const scopes = SCOPES.map(({ name }) => name);
    const reached = await owner.call('PUT', `/clients/${clientId}/apis/${String(api['id'])}`, { scopes });
    expect(reached.status).toBe(200);
    const redirectUri = 'https://wiki.example/callback';
    const party = await RelyingParty.of(app, { clientId, clientSecret, redirectUri });
    return { client: party, credential: await credentialOf(owner, String(api['id'])) };
  };
  const credentialOf = async (owner: Organization, id: string) => {
    const { body } = await owner.call('POST', `/apis/${id}/credentials`);
    return `Basic ${Buffer.from(`${id}:${String(body['clientSecret'])}`).toString('base64')}`;
  };
  const link = (person: Person, subject: string, at = connection, from = oidc) =>
    app.sql(
      `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'oidc', $3, $4, $5)`,
      [ulid(), person.id, at.id, from.issuer, subject],
    );
  const claimsFor = (more: Claims = {}): Record<string, unknown> => {
    const iat = Math.floor(Date.now() / 1_000);
    return {
      iss: oidc.issuer,
      sub: 'ada',
      aud: ISSUER,
      client_id: client.clientId,
      resource: ORDERS,
      scope: 'read',
      jti: randomUUID(),
      iat,
      exp: iat + 300,
      auth_time: iat - 60,
      ...more,
    };
  };
  const assertion = (more: Claims = {}, header: object = { typ: TYP }, from = oidc) =>
    from.sign(claimsFor({ iss: from.issuer, ...more }), header);
  const present = (text: string, more: Record<string, string> = {}, by = client) =>
    by.post('/oauth2/token', { grant_type: JWT_BEARER, assertion: text, ...more });
  const presentClaims = async (more: Claims = {}) => present(await assertion(more));
  const tokenOf = async (more: Claims = {}) => {
    const { status, body } = await presentClaims(more);
    expect([status, body]).toEqual([200, expect.anything()]);
    return String(body['access_token']);
  };
  const introspect = async (token: string, by = credential) =>
    (await client.post('/oauth2/introspect', { token }, by)).body;
  /** A new member, who has signed in by the connection. */
  const member = async () => {
    const { person } = await organization.join('member');
    const sub = `sub-${ulid()}`;
    await link(person, sub);
    return { person, sub };
  };

  it('gives a token of the organization for the API that it names, and no refresh token', async () => {
    const { status, body } = await presentClaims({ scope: 'read write other admin' });
    expect([status, body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 600,
        scope: 'read write',
        resource: ORDERS,
      },
    ]);
    const token = String(body['access_token']);
    expect(decodeJwt(token)).toMatchObject({
      aud: ORDERS,
      client_id: client.clientId,
      tid: organization.id,
      scope: 'read write',
      acr: 'aal1',
    });
    expect(await introspect(token)).toMatchObject({ active: true, scope: 'read write' });
    expect((await app.get('/api/v1/iam/me', token)).status).toBe(401);
    const [row] = await app.sql('SELECT count(*)::int AS n FROM known_networks WHERE account_id = $1', [
      ada.id,
    ]);
    const [before] = await app.sql('SELECT count(*)::int AS n FROM sessions WHERE account_id = $1', [ada.id]);
    // The next one continues the session, which the person sees by the name of the client.
    const next = decodeJwt(await tokenOf());
    expect(next['gid']).toBe(decodeJwt(token)['gid']);
    expect(await app.sql('SELECT count(*)::int AS n FROM sessions WHERE account_id = $1', [ada.id])).toEqual([
      before,
    ]);
    expect(
      await app.sql('SELECT count(*)::int AS n FROM known_networks WHERE account_id = $1', [ada.id]),
    ).toEqual([row]);
    const { body: sessions } = await app.get('/api/v1/iam/me/sessions', ada.token);
    expect(sessions['items']).toContainEqual(expect.objectContaining({ userAgent: 'Wiki' }));
  });

  it('is announced, without the issuers that are trusted', async () => {
    const { body } = await app.get('/.well-known/oauth-authorization-server');
    expect(body).toMatchObject({
      authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
      identity_chaining_requested_token_types_supported: ['urn:ietf:params:oauth:token-type:id-jag'],
      grant_types_supported: expect.arrayContaining([JWT_BEARER]),
    });
    expect(JSON.stringify(body)).not.toContain(oidc.issuer);
  });

  it('may name its only audience in a list', async () => {
    expect((await presentClaims({ aud: [ISSUER] })).status).toBe(200);
  });

  const now = () => Math.floor(Date.now() / 1_000);
  it.each<[string, () => Claims]>([
    ['is for another audience', () => ({ aud: 'https://other.example' })],
    ['is for an API in place of the issuer', () => ({ aud: ORDERS })],
    ['is for two audiences', () => ({ aud: [ISSUER, 'https://other.example'] })],
    ['has no audience', () => ({ aud: undefined })],
    ['is for another client', () => ({ client_id: 'org-other' })],
    ['is for no client', () => ({ client_id: undefined })],
    ['has expired', () => ({ iat: now() - 290, exp: now() - 61 })],
    ['is older than five minutes', () => ({ iat: now() - 361, exp: now() - 61 })],
    ['is valid for longer than five minutes', () => ({ exp: now() + 301 })],
    ['ends before it begins', () => ({ exp: now() - 10 })],
    ['does not expire', () => ({ exp: undefined })],
    ['has no time of issue', () => ({ iat: undefined })],
    ['is from the future', () => ({ iat: now() + 120, exp: now() + 240 })],
    ['is not valid yet', () => ({ nbf: now() + 120 })],
    ['has no id', () => ({ jti: undefined })],
    ['has an empty id', () => ({ jti: '' })],
    ['names no person', () => ({ sub: undefined })],
    ['names a person whom the connection does not know', () => ({ sub: 'Ada' })],
    ['names no API', () => ({ resource: undefined })],
    ['names this service as the API', () => ({ resource: ISSUER })],
    ['names an unknown API', () => ({ resource: 'https://unknown.example' })],
    ['names an unknown API next to a known one', () => ({ resource: [ORDERS, 'https://unknown.example'] })],
    ['is of an unknown issuer', () => ({ iss: 'https://idp.example' })],
    ['is of this service', () => ({ iss: ISSUER })],
    ['is for another organization', () => ({ aud_tenant: ulid() })],
    ['has scopes of another type', () => ({ scope: ['read'] })],
  ])('is refused if it %s', async (_, claims) => {
    expect(await presentClaims(claims())).toMatchObject(REFUSED);
  });

  it('is refused by another signature, algorithm or type', async () => {
    const { privateKey } = await generateKeyPair('ES256');
    const claims = claimsFor();
    const sign = (header: object, key: Parameters<SignJWT['sign']>[0]) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'ES256', typ: TYP, ...header }).sign(key);
    const secret = Buffer.from(oidc.clientSecret);
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const [, payload = '', signature = ''] = (await assertion()).split('.');
    const attacks = [
      await sign({ kid: 'lab' }, privateKey),
      await sign({ alg: 'HS256', kid: 'lab' }, secret),
      await sign({ alg: 'HS256' }, Buffer.from(client.clientSecret)),
      `${encode({ alg: 'none', typ: TYP })}.${encode(claims)}.`,
      `${encode({ alg: 'none', typ: TYP })}.${payload}.${signature}`,
      await assertion({}, { typ: 'JWT' }),
      await assertion({}, { typ: 'at+jwt' }),
      await assertion({}, {}),
      // Encrypted: this service publishes no key for that.
      `${encode({ alg: 'RSA-OAEP-256', enc: 'A256GCM', cty: 'JWT', typ: TYP })}.a.b.c.d`,
      'not.a.token',
      'x'.repeat(9_000),
    ];
    for (const attack of attacks) expect(await present(attack)).toMatchObject(REFUSED);
    expect(await client.post('/oauth2/token', { grant_type: JWT_BEARER })).toMatchObject({
      body: { error: 'invalid_request' },
    });
  });

  it('counts once, for twenty at once', async () => {
    const text = await assertion();
    const answers = await Promise.all(Array.from({ length: 20 }, () => present(text)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(19);
    expect(await present(text)).toMatchObject(REFUSED);
    // Another one with the id of this one is it as well.
    const { jti } = decodeJwt(text);
    expect(await presentClaims({ jti, scope: 'write' })).toMatchObject(REFUSED);
  });

  it('counts once on all replicas', async () => {
    const replica = await TestApp.start({ ...SETTINGS, DATABASE_URL: app.databaseUrl });
    const there = await RelyingParty.of(replica, client);
    const text = await assertion();
    const both = Array.from({ length: 10 }, (_, n) => present(text, {}, n % 2 === 0 ? client : there));
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    const next = await assertion();
    expect((await present(next)).status).toBe(200);
    expect(await present(next, {}, there)).toMatchObject(REFUSED);
    await replica.stop();
  });

  it('gives twenty clients at once a session each, which later ones continue', async () => {
    const { sub } = await member();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf({ sub })));
    for (const token of tokens) expect(await introspect(token)).toMatchObject({ active: true });
    expect(decodeJwt(await tokenOf({ sub }))['gid']).toBe(decodeJwt(await tokenOf({ sub }))['gid']);
  });

  describe('of several organizations', () => {
    let globex: Organization;
    let shared: RelyingParty;
    beforeAll(async () => {
      globex = await Organization.found(app);
      shared = await RelyingParty.register(app, { firstParty: false, grantTypes: [JWT_BEARER] });
      const call = (method: string, path: string, body: object) =>
        app.call(method, path, body, { token: operator.token });
      const { body: api } = await call('POST', '/api/v1/iam/apis', {
        identifier: SHARED,
        name: 'Shared',
        scopes: SCOPES,
      });
      const path = `/api/v1/iam/satellites/${shared.clientId}/apis/${String(api['id'])}`;
      expect((await call('PUT', path, { scopes: ['read'] })).status).toBe(200);
    });
    const presentShared = async (more: Claims = {}) =>
      present(await assertion({ client_id: shared.clientId, resource: SHARED, ...more }), {}, shared);

    it('opens nothing of another one', async () => {
      const theirs = await provider();
      const other = await trustedConnection(globex, theirs);
      await link(ada, 'ada', other, theirs);
      await globex.admit(ada, 'member');
      // Their issuer speaks for the person, and not in this organization.
      expect(await present(await assertion({}, { typ: TYP }, theirs))).toMatchObject(REFUSED);
      // Their key does not sign for our issuer.
      expect(await present(await assertion({ iss: oidc.issuer }, { typ: TYP }, theirs))).toMatchObject(
        REFUSED,
      );
      const { body } = await present(
        await assertion({ client_id: shared.clientId, resource: SHARED }, { typ: TYP }, theirs),
        {},
        shared,
      );
      expect(decodeJwt(String(body['access_token']))).toMatchObject({ tid: globex.id });
    });

    it('is of the one that trusts its issuer, or that it names', async () => {
      const { status, body } = await presentShared();
      expect([status, decodeJwt(String(body['access_token']))]).toMatchObject([
        200,
        { tid: organization.id },
      ]);
      const twin = await trustedConnection(globex, oidc);
      await eventually('the twin', async () => (await presentShared()).status === 400);
      const named = await presentShared({ aud_tenant: organization.id });
      expect(decodeJwt(String(named.body['access_token']))).toMatchObject({ tid: organization.id });
      // The twin does not know the person by it, and creates none.
      expect(await presentShared({ aud_tenant: globex.id })).toMatchObject(REFUSED);
      expect((await presentClaims()).status).toBe(200);
      expect((await twin.call('PATCH', '', { identityAssertions: false })).status).toBe(200);
      await eventually('the end of the twin', async () => (await presentShared()).status === 200);
    });
  });

  describe('ends with', () => {
    it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
      [
        'the trust',
        () => connection.call('PATCH', '', { identityAssertions: false }),
        () => connection.call('PATCH', '', { identityAssertions: true }),
      ],
      [
        'the connection, once it is disabled',
        () => connection.call('POST', '/disable'),
        () => connection.call('POST', '/activate'),
      ],
    ])('%s: earlier tokens and new assertions', async (_, end, restore) => {
      const token = await tokenOf();
      expect(await introspect(token)).toMatchObject({ active: true });
      await end();
      await eventually('the token to end', async () => (await introspect(token))['active'] === false);
      expect(await presentClaims()).toMatchObject(REFUSED);
      await restore();
      await eventually('the connection', async () => (await presentClaims()).status === 200);
    });

    it('the connection, once it is deleted', async () => {
      const theirs = await provider();
      const other = await trustedConnection(organization, theirs);
      await link(ada, 'ada', other, theirs);
      const { body } = await present(await assertion({}, { typ: TYP }, theirs));
      const token = String(body['access_token']);
      expect(await introspect(token)).toMatchObject({ active: true });
      expect((await other.call('DELETE')).status).toBe(204);
      await eventually('the token to end', async () => (await introspect(token))['active'] === false);
      expect(await present(await assertion({}, { typ: TYP }, theirs))).toMatchObject(REFUSED);
    });

    it('the membership, and the subject of a removed person is unknown', async () => {
      const { person, sub } = await member();
      const token = await tokenOf({ sub });
      expect((await organization.call('DELETE', `/members/${person.id}`)).status).toBe(204);
      await eventually('the token to end', async () => (await introspect(token))['active'] === false);
      expect(await presentClaims({ sub })).toMatchObject(REFUSED);
      // Also once they are a member again, who has not signed in by the connection since.
      await organization.admit(person, 'member');
      expect(await presentClaims({ sub })).toMatchObject(REFUSED);
    });

    it('a suspended membership, until it is restored', async () => {
      const { person, sub } = await member();
      const token = await tokenOf({ sub });
      const suspend = (path: string) => organization.call('POST', `/members/${person.id}/${path}`);
      expect((await suspend('suspend')).status).toBe(200);
      await eventually('the token to end', async () => (await introspect(token))['active'] === false);
      expect(await presentClaims({ sub })).toMatchObject(REFUSED);
      expect((await suspend('restore')).status).toBe(200);
      expect(decodeJwt(await tokenOf({ sub }))).toMatchObject({ tid: organization.id });
    });

    it('a suspended account', async () => {
      const { person, sub } = await member();
      const token = await tokenOf({ sub });
      await app.command('account:suspend', '--account', person.id);
      await eventually('the token to end', async () => (await introspect(token))['active'] === false);
      expect(await presentClaims({ sub })).toMatchObject({
        status: 400,
        body: { error: 'invalid_grant', error_description: expect.stringContaining('suspended') },
      });
    });

    it('a logout of the person at the provider', async () => {
      const { sub } = await member();
      const token = await tokenOf({ sub });
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
      const claims = { iss: oidc.issuer, aud: oidc.clientId, sub, jti: randomUUID(), events };
      const times = { iat: now(), exp: now() + 60 };
      const form = new URLSearchParams({
        logout_token: await oidc.sign({ ...claims, ...times }, { typ: 'logout+jwt' }),
      });
      const path = `/api/iam/auth/external/oidc/backchannel-logout/${connection.id}`;
      expect((await fetch(app.url + path, { method: 'POST', body: form })).status).toBe(200);
      await eventually('the token to end', async () => (await introspect(token))['active'] === false);
      expect((await presentClaims({ sub })).status).toBe(200);
    });

    it('a logout everywhere and a revocation, and the next one begins again', async () => {
      const { person, sub } = await member();
      const token = await tokenOf({ sub });
      expect(
        (await app.call('POST', '/api/v1/iam/auth/logout-all', {}, { token: person.token })).status,
      ).toBe(204);
      await eventually('the token to end', async () => (await introspect(token))['active'] === false);
      const next = await tokenOf({ sub });
      expect(await introspect(next)).toMatchObject({ active: true });
      expect((await client.post('/oauth2/revoke', { token: next })).status).toBe(200);
      await eventually('the token to end', async () => (await introspect(next))['active'] === false);
      expect(await introspect(await tokenOf({ sub }))).toMatchObject({ active: true });
    });
  });

  describe('of a person without an account', () => {
    const email = (name: string) => `${name}@${connection.domain}`;
    afterEach(() => connection.call('PATCH', '', { provisioning: { justInTime: false } }));
    const newcomer = (more: Claims = {}) => {
      const name = ulid().toLowerCase();
      return { sub: name, email: email(name), ...more };
    };

    it('creates none, unless the connection adds people at their first sign-in', async () => {
      expect(await presentClaims(newcomer())).toMatchObject(REFUSED);
      await connection.call('PATCH', '', { provisioning: { justInTime: true } });
      const person = newcomer();
      const tokens = await Promise.all(Array.from({ length: 5 }, () => tokenOf(person)));
      for (const token of tokens) expect(await introspect(token)).toMatchObject({ active: true });
      const accounts = await app.sql('SELECT id FROM accounts WHERE email_key = $1', [person.email]);
      expect(accounts).toHaveLength(1);
    });

    it.each<[string, () => Claims]>([
      ['outside of its domains', () => ({ email: `eve@${ulid().toLowerCase()}.example` })],
      ['without an address', () => ({ email: undefined })],
      ['with an address that is not verified', () => ({ email_verified: false })],
    ])('creates none %s', async (_, more) => {
      await connection.call('PATCH', '', { provisioning: { justInTime: true } });
      expect(await presentClaims(newcomer(more()))).toMatchObject(REFUSED);
    });

    it('takes no account over that has a password', async () => {
      await connection.call('PATCH', '', { provisioning: { justInTime: true } });
      const person = newcomer();
      await Person.signUp(app, person.email);
      expect(await presentClaims(person)).toMatchObject(REFUSED);
    });
  });

  it('opens nothing to a person of a partner, who enters by the app of this service only', async () => {
    const carrier = await Organization.found(app);
    const dispatcher = await carrier.join('member');
    const slug = `carrier-${ulid().toLowerCase()}`;
    expect((await carrier.call('PATCH', '', { slug })).status).toBe(200);
    const role = { key: 'driver', name: 'Driver', scopes: ['iam:member:read'] };
    expect((await organization.call('POST', '/roles', role)).status).toBe(201);
    const sent = { roles: [role.key] };
    const offer = { tenantSlug: slug, ...sent };
    const offered = await organization.call('POST', '/partnerships', offer);
    expect(offered).toMatchObject({ status: 201, body: { status: 'offered' } });
    const path = `/partner-access/${String(offered.body['id'])}`;
    expect((await carrier.call('POST', `${path}/accept`)).status).toBe(200);
    const put = await carrier.call('PUT', `${path}/people/${dispatcher.person.id}`, sent);
    expect(put.status).toBe(200);
    // They are in the organization, which its provider has seen as well.
    await dispatcher.person.select(organization.id);
    await link(dispatcher.person, 'dispatcher');
    const text = await assertion({ sub: 'dispatcher' });
    expect(await present(text)).toMatchObject(REFUSED);
    expect(await present(text, { resource: ORDERS })).toMatchObject(REFUSED);
  });

  it('leaves roles of members as they are: it names no groups', async () => {
    await connection.call('PATCH', '', { provisioning: { justInTime: true, syncRoles: 'every-sign-in' } });
    const items = [{ attribute: 'groups', operator: 'equals', value: 'boss', roles: ['admin'] }];
    expect((await connection.call('PUT', '/rules', { items })).status).toBe(200);
    const sub = ulid().toLowerCase();
    oidc.person = { sub, email: `${sub}@${connection.domain}`, groups: ['boss'] };
    oidc.twist = {};
    const { fragment } = await connection.bring(oidc.visit(await connection.start()));
    expect(fragment).toHaveProperty('access_token');
    expect((await presentClaims({ sub, scope: 'admin' })).body).toMatchObject({ scope: 'admin' });
    expect((await presentClaims({ sub, scope: 'admin' })).body).toMatchObject({ scope: 'admin' });
    await connection.call('PUT', '/rules', { items: [] });
    await connection.call('PATCH', '', { provisioning: { justInTime: false, syncRoles: 'first-sign-in' } });
  });

  it('gives scopes as a sign-in does: by role, and by the age of the sign-in that it tells', async () => {
    const scopesOf = async (more: Claims, form: Record<string, string> = {}) =>
      (await present(await assertion({ scope: undefined, ...more }), form)).body['scope'];
    expect(await scopesOf({})).toBe('read write pay');
    expect(await scopesOf({ auth_time: now() - 901 })).toBe('read write');
    expect(await scopesOf({ auth_time: undefined })).toBe('read write');
    expect(await scopesOf({ auth_time: 'yesterday' })).toBe('read write');
    expect(await scopesOf({ scope: 'write pay' }, { scope: 'read write' })).toBe('write');
    const token = await tokenOf({ auth_time: undefined });
    expect(decodeJwt(token)['auth_time']).toBe(0);
  });

  it('may name several APIs, of which the request chooses one', async () => {
    const second = 'https://second.example/';
    const { body: api } = await organization.call('POST', '/apis', {
      identifier: second.slice(0, -1),
      name: 'Second',
      scopes: SCOPES,
    });
    const path = `/clients/${client.clientId}/apis/${String(api['id'])}`;
    await organization.call('PUT', path, { scopes: ['read'] });
    const resource = [ORDERS, second];
    expect(await present(await assertion({ resource }))).toMatchObject({ body: { error: 'invalid_target' } });
    expect((await present(await assertion({ resource }), { resource: second })).body).toMatchObject({
      resource: second.slice(0, -1),
    });
    // The request chooses none that the assertion does not name.
    expect(await present(await assertion(), { resource: second })).toMatchObject({
      body: { error: 'invalid_target' },
    });
  });

  it('is bound to the key that it names, and a token to the key that is proved', async () => {
    const key = await ProofKey.create();
    const thief = await ProofKey.create();
    const url = `${ISSUER}/oauth2/token`;
    const nonceOf = (response: Response) => response.headers.get('dpop-nonce') ?? '';
    const send = async (by: ProofKey, text: string, nonce?: string): Promise<Response> =>
      fetch(`${app.url}/oauth2/token`, {
        method: 'POST',
        headers: {
          authorization: client.authorization,
          dpop: await by.prove({ htm: 'POST', htu: url, ...(nonce !== undefined && { nonce }) }),
        },
        body: new URLSearchParams({ grant_type: JWT_BEARER, assertion: text }),
      });
    const withProof = async (by: ProofKey, text: string) =>
      (await send(by, text, nonceOf(await send(by, text)))).json() as Promise<Record<string, unknown>>;
    const cnf = { jkt: key.jkt };
    expect(await presentClaims({ cnf })).toMatchObject(REFUSED);
    expect(await presentClaims({ cnf: { 'x5t#S256': 'abc' } })).toMatchObject(REFUSED);
    expect(await withProof(thief, await assertion({ cnf }))).toMatchObject({ error: 'invalid_grant' });
    const byBoth = await assertion({ cnf: { ...cnf, 'x5t#S256': 'abc' } });
    expect(await withProof(key, byBoth)).toMatchObject({ error: 'invalid_grant' });
    const bound = await withProof(key, await assertion({ cnf }));
    expect(bound).toMatchObject({ token_type: 'DPoP' });
    expect(decodeJwt(String(bound['access_token']))).toMatchObject({ cnf });
    expect(await withProof(key, await assertion())).toMatchObject({ token_type: 'DPoP' });
  });

  describe('of a person with a second factor', () => {
    const MFA = { amr: ['pwd', 'mfa'] };
    afterEach(() => connection.call('PATCH', '', { trustsSecondFactor: false }));

    it('stands for it only where the organization trusts its provider, also for a later factor', async () => {
      const { person, sub } = await member();
      expect((await presentClaims({ sub })).status).toBe(200);
      await connection.call('PATCH', '', { trustsSecondFactor: true });
      expect((await presentClaims({ sub, ...MFA })).status).toBe(200);
      await TestTotp.enrol(app, person.token);
      const asks = { status: 400, body: { error_description: expect.stringContaining('second factor') } };
      await eventually('the factor', async () => (await presentClaims({ sub })).status === 400);
      expect(await presentClaims({ sub })).toMatchObject(asks);
      expect((await presentClaims({ sub, ...MFA })).status).toBe(200);
      // No session by two factors is continued by one.
      expect(await presentClaims({ sub, amr: ['pwd'] })).toMatchObject(asks);
      await connection.call('PATCH', '', { trustsSecondFactor: false });
      await eventually('the trust', async () => (await presentClaims({ sub, ...MFA })).status === 400);
    });

    it('is judged by the policy of the organization', async () => {
      await connection.call('PATCH', '', { trustsSecondFactor: true });
      const { sub } = await member();
      const token = await tokenOf({ sub });
      await setSignInPolicy(organization, { secondFactor: 'required' });
      await eventually('the policy', async () => (await introspect(token))['active'] === false);
      expect(await presentClaims({ sub })).toMatchObject(REFUSED);
      await eventually('the trust', async () => (await presentClaims({ sub, ...MFA })).status === 200);
      await setSignInPolicy(organization, null);
      await eventually('the policy', async () => (await presentClaims({ sub })).status === 200);
    });
  });

  it('is for confidential clients that are registered for it', async () => {
    const other = (await clientOf(organization, 'https://third.example', { grantTypes: ['refresh_token'] }))
      .client;
    const text = await assertion({ client_id: other.clientId, resource: 'https://third.example' });
    expect(await present(text, {}, other)).toMatchObject({ body: { error: 'unauthorized_client' } });
    const open = { name: 'Open', type: 'public', grantTypes: [JWT_BEARER] };
    expect((await organization.call('POST', '/clients', open)).status).toBe(400);
    expect(
      await client.post('/oauth2/token', { grant_type: JWT_BEARER, assertion: text }, null),
    ).toMatchObject({
      status: 401,
    });
  });

  it('is trusted by a connection of OpenID Connect only, and never by a set-up link', async () => {
    const saml = await LabConnection.active(organization, samlSettings(new SamlStandIn()));
    expect(await saml.call('PATCH', '', { identityAssertions: true })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'identityAssertions' }] },
    });
    expect((await saml.call('GET')).body).not.toHaveProperty('identityAssertions');
    const { body } = await organization.call('POST', '/setup-links', {
      intents: ['sso'],
      connectionId: connection.id,
    });
    const token = String(body['url']).split('/').at(-1) ?? '';
    const changed = { identityAssertions: false };
    await app.call('PATCH', '/api/v1/iam/setup/connection', changed, { token });
    expect((await connection.call('GET')).body).toMatchObject({ identityAssertions: true });
  });

  it('is a 503 while the keys of its issuer cannot be read', async () => {
    const silent = await provider();
    const other = await trustedConnection(organization, silent);
    await link(ada, 'ada', other, silent);
    const text = await assertion({}, { typ: TYP }, silent);
    silent.twist = { keySet: { status: 500, body: {} } };
    expect((await present(text)).status).toBe(503);
    silent.twist = {};
    expect((await present(text)).status).toBe(200);
  });

  it('of oidc-provider is verified by its current key', async () => {
    const theirs = await CertifiedProvider.start('http://gatehouse.test/');
    providers.push(theirs);
    const { issuer, clientId, clientSecret } = theirs;
    const created = await LabConnection.active(organization, {
      kind: 'oidc',
      settings: { issuer, clientId, clientSecret },
    });
    await created.call('PATCH', '', { provisioning: { justInTime: true }, identityAssertions: true });
    const { serviceProvider } = (await created.call('GET')).body;
    const ours = serviceProvider as unknown as Record<string, string>;
    theirs.person = { ...theirs.person, email: `ada@${created.domain}` };
    theirs.register(ours['redirectUri'] ?? '');
    const { fragment } = await created.bring(new URL(await wayOut(await created.start(), new CookieJar())));
    expect(fragment).toHaveProperty('access_token');
    const sign = () => theirs.sign(claimsFor({ iss: issuer, sub: theirs.person.sub }), TYP);
    expect((await present(await sign())).status).toBe(200);
    const [before, old] = [await sign(), await sign()];
    await theirs.rotateKeys();
    // Unknown keys are asked for every half minute, and removed ones are forgotten then.
    const clock = performance.now.bind(performance);
    jest.spyOn(performance, 'now').mockImplementation(() => clock() + 31_000);
    expect((await present(await sign())).status).toBe(200);
    for (const text of [before, old]) expect(await present(text)).toMatchObject(REFUSED);
  });
});
