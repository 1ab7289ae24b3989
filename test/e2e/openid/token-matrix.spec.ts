import { randomUUID } from 'node:crypto';
import { Verifier } from '@gatehouse/client/verifier';
import { decodeJwt, type JSONWebKeySet } from 'jose';
import { None } from 'openid-client';
import { ulid } from 'ulid';
import { IssuerKeys } from '../../../src/machine/trust/issuer-keys.js';
import { IdTokens } from '../../../src/openid/token/id-tokens.js';
import { OidcStandIn } from '../../lab/oidc-stand-in.js';
import { ClientSite } from '../../support/client-site.js';
import { LabConnection, oidcSettings } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { withApp } from '../../support/test-app.js';

const ISSUER = 'http://gatehouse.test';
const [ORDERS, FLEET] = ['https://orders.example/api', 'https://fleet.example/api'];
const REDIRECT_URI = 'https://app.example/callback';
const TYPE = 'urn:ietf:params:oauth:token-type:';
const GRANT = 'urn:ietf:params:oauth:grant-type:';

/** Where a token can be presented. */
const VERIFIERS = [
  'our API',
  'userinfo',
  'introspection by its client',
  'introspection by Orders',
  'introspection by Fleet',
  'a verifier for us',
  'a verifier for Orders',
  'a verifier for Fleet',
  'a refresh',
  'an assertion of a client',
  'an identity assertion',
  'an exchange',
  'SCIM',
] as const;
type VerifierName = (typeof VERIFIERS)[number];

/** Each kind of token is refused everywhere but where it belongs. */
describe('A token', () => {
  let organization: Organization;
  let client: RelyingParty;
  let accountId: string;
  let directoryId: string;
  let agent: RelyingParty;
  let oidc: OidcStandIn;
  let site: ClientSite;
  const credentials: Record<string, string> = {};
  const app = withApp({
    RATE_REFRESH: 'off',
    RATE_WRITE: 'off',
    CONNECTION_TRUSTED_HOSTS: '127.0.0.1,gatehouse.test',
  });
  beforeAll(async () => {
    organization = await Organization.found(app);
    const { body } = await organization.call('POST', '/clients', {
      name: 'App',
      redirectUris: [REDIRECT_URI],
      grantTypes: ['authorization_code', 'refresh_token', `${GRANT}device_code`, `${GRANT}jwt-bearer`],
    });
    const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
    client = await RelyingParty.of(app, { clientId, clientSecret, redirectUri: REDIRECT_URI });
    const audience = { audience: 'https://partner.example', clientId: 'x', resources: [], scopes: [] };
    await organization.call('PATCH', `/clients/${clientId}`, { assertionAudiences: [audience] });
    const account = await organization.call('POST', '/service-accounts', {
      name: 'Export',
      roles: ['admin'],
    });
    accountId = String(account.body['id']);
    directoryId = String((await organization.call('POST', '/directories', { name: 'Entra' })).body['id']);
    const ids: Record<string, string> = {};
    for (const [name, identifier] of [
      ['Orders', ORDERS],
      ['Fleet', FLEET],
    ] as const) {
      const api = { identifier, name, scopes: [{ name: 'read', title: 'Read' }] };
      const id = String((await organization.call('POST', '/apis', api)).body['id']);
      for (const party of [clientId, accountId])
        expect(
          (await organization.call('PUT', `/clients/${party}/apis/${id}`, { scopes: ['read'] })).status,
        ).toBe(200);
      const created = (await organization.call('POST', `/apis/${id}/credentials`)).body;
      const secret = `${id}:${String(created['clientSecret'])}`;
      credentials[name] = `Basic ${Buffer.from(secret).toString('base64')}`;
      ids[name] = id;
    }

    site = await ClientSite.start();
    const policy = { clients: 'any', scopes: [`${ids['Orders'] ?? ''}/read`] };
    expect((await organization.call('PUT', '/agent-policy', policy)).status).toBe(200);
    const url = site.publish('/agent');
    const ofAgent = { clientId: url, clientSecret: '', redirectUri: `${url}/callback` };
    agent = await RelyingParty.of(app, ofAgent, None(), 'ES256');

    oidc = await OidcStandIn.start();
    const connection = await LabConnection.active(organization, oidcSettings(oidc));
    expect((await connection.call('PATCH', '', { identityAssertions: true })).status).toBe(200);
    await app.sql(
      "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'oidc', $3, $4, 'ada')",
      [ulid(), organization.owner.person.id, connection.id, oidc.issuer],
    );
    expect((await trust(oidc.issuer)).status).toBe(201);
  });
  afterAll(() => Promise.all([site.stop(), oidc.close()]));

  const trust = (issuer: string) => {
    const rule = { issuer, audience: ISSUER, conditions: { sub: 'ada' } };
    return organization.call('POST', `/service-accounts/${accountId}/trust-rules`, rule);
  };

  const signIn = (resource?: string) =>
    client.signIn(organization.owner.token, resource === undefined ? {} : { resource, scope: 'openid read' });
  /** Signs in to the code, as a client does that knows no ID token. */
  const codeOf = async (party: RelyingParty) => {
    const { id, verifier } = await party.request({ resource: ORDERS, scope: 'read' });
    const { body } = await party.approve(id, organization.owner.token);
    const code = new URL(String(body['redirectTo'])).searchParams.get('code') ?? '';
    return { code, code_verifier: verifier, redirect_uri: party.redirectUri };
  };
  const identityAssertion = () => {
    const iat = Math.floor(Date.now() / 1_000);
    const times = { iat, exp: iat + 300, auth_time: iat, jti: randomUUID() };
    const to = { aud: ISSUER, client_id: client.clientId, resource: ORDERS };
    return oidc.sign({ iss: oidc.issuer, sub: 'ada', ...to, ...times }, { typ: 'oauth-id-jag+jwt' });
  };
  const tokenOfDevice = async () => {
    const { body } = await client.post('/oauth2/device_authorization', { scope: 'read', resource: ORDERS });
    const by = { token: organization.owner.token };
    const approve = '/api/v1/iam/auth/devices/approve';
    expect((await app.call('POST', approve, { userCode: body['user_code'] }, by)).status).toBe(204);
    const form = { grant_type: `${GRANT}device_code`, device_code: String(body['device_code']) };
    return (await client.post('/oauth2/token', form)).body['access_token'];
  };
  const ofAccount = async (path: string, body: object) =>
    (await organization.call('POST', `/service-accounts/${accountId}/${path}`, body)).body;
  const tokenBySecret = async (form: Record<string, string> = {}) => {
    const { clientSecret } = await ofAccount('credentials', { kind: 'secret' });
    const { body } = await client.post(
      '/oauth2/token',
      {
        grant_type: 'client_credentials',
        client_id: accountId,
        client_secret: String(clientSecret),
        ...form,
      },
      null,
    );
    return String(body['access_token']);
  };

  const status = async (path: string, token: string) => (await app.get(path, token)).status;
  const isActive = async (token: string, by: string) =>
    (await client.post('/oauth2/introspect', { token }, by)).body['active'] === true;
  const verifies = async (token: string, audience: string) => {
    const verifier = new Verifier({ issuer: ISSUER, url: app.url, audience, clients: 'any' });
    return verifier.verify(token).then(
      () => true,
      () => false,
    );
  };
  const isGranted = async (form: Record<string, string>, by: string | null = client.authorization) =>
    (await client.post('/oauth2/token', form, by)).status === 200;
  const ASK: Record<VerifierName, (token: string) => Promise<boolean>> = {
    'our API': async (token) => (await status('/api/v1/iam/me', token)) === 200,
    userinfo: async (token) => (await status('/oauth2/userinfo', token)) === 200,
    'introspection by its client': (token) => isActive(token, client.authorization),
    'introspection by Orders': (token) => isActive(token, credentials['Orders'] ?? ''),
    'introspection by Fleet': (token) => isActive(token, credentials['Fleet'] ?? ''),
    'a verifier for us': (token) => verifies(token, ISSUER),
    'a verifier for Orders': (token) => verifies(token, ORDERS),
    'a verifier for Fleet': (token) => verifies(token, FLEET),
    'a refresh': (token) => isGranted({ grant_type: 'refresh_token', refresh_token: token }),
    'an assertion of a client': (token) =>
      isGranted(
        {
          grant_type: 'client_credentials',
          client_assertion: token,
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
        },
        null,
      ),
    'an identity assertion': (token) =>
      isGranted({ grant_type: `${GRANT}jwt-bearer`, assertion: token, resource: ORDERS }),
    'an exchange': (token) =>
      isGranted(
        {
          grant_type: `${GRANT}token-exchange`,
          subject_token: token,
          subject_token_type: `${TYPE}jwt`,
          client_id: accountId,
        },
        null,
      ),
    SCIM: async (token) => {
      const answer = await fetch(`${app.url}/api/scim/v2/${directoryId}/Users`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await answer.body?.cancel();
      return answer.status === 200;
    },
  };

  it.each<[kind: string, token: () => Promise<unknown>, at: readonly VerifierName[]]>([
    ['of the app', async () => organization.owner.person.token, ['our API', 'a verifier for us']],
    [
      'of the app in the organization',
      async () => organization.owner.token,
      ['our API', 'a verifier for us'],
    ],
    [
      'of a client for this service',
      async () => (await signIn()).access_token,
      ['userinfo', 'introspection by its client', 'a verifier for us'],
    ],
    [
      'of a client for Orders',
      async () => (await signIn(ORDERS)).access_token,
      ['introspection by Orders', 'a verifier for Orders'],
    ],
    [
      'of a client for Fleet',
      async () => (await signIn(FLEET)).access_token,
      ['introspection by Fleet', 'a verifier for Fleet'],
    ],
    ['of a service account', () => tokenBySecret(), ['our API', 'a verifier for us']],
    [
      'of a service account for Orders',
      () => tokenBySecret({ resource: ORDERS }),
      ['introspection by Orders', 'a verifier for Orders'],
    ],
    [
      'of the key of a service account, exchanged for Orders',
      async () => {
        const form = {
          grant_type: `${GRANT}token-exchange`,
          subject_token_type: `${TYPE}access_token`,
          subject_token: String((await ofAccount('keys', { name: 'Exchanged' }))['key']),
          resource: ORDERS,
        };
        return (await client.post('/oauth2/token', form, null)).body['access_token'];
      },
      ['introspection by Orders', 'a verifier for Orders'],
    ],
    ['of a device for Orders', tokenOfDevice, ['introspection by Orders', 'a verifier for Orders']],
    [
      'of an agent for Orders',
      async () => {
        const form = {
          grant_type: 'authorization_code',
          client_id: agent.clientId,
          ...(await codeOf(agent)),
        };
        return (await agent.post('/oauth2/token', form, null)).body['access_token'];
      },
      ['introspection by Orders', 'a verifier for Orders'],
    ],
    [
      'for an identity assertion, for Orders',
      async () => {
        const form = { grant_type: `${GRANT}jwt-bearer`, assertion: await identityAssertion() };
        return (await client.post('/oauth2/token', form)).body['access_token'];
      },
      ['introspection by Orders', 'a verifier for Orders'],
    ],
    ['that is an identity assertion of a provider', identityAssertion, ['an identity assertion']],
    ['that is a code', async () => (await codeOf(client)).code, []],
    [
      'for a logout',
      () => {
        const event = { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } };
        const claims = { sub: organization.owner.person.id, sid: ulid(), jti: ulid(), ...event };
        const by = { clientId: client.clientId, idTokenAlg: 'ES256' } as const;
        return app.app.get(IdTokens, { strict: false }).signClaims(by, claims, { typ: 'logout+jwt' });
      },
      [],
    ],
    ['for an ID', async () => (await signIn()).id_token, []],
    ['for an ID, next to one for Orders', async () => (await signIn(ORDERS)).id_token, []],
    [
      'for a refresh',
      async () => (await signIn()).refresh_token,
      ['a refresh', 'introspection by its client'],
    ],
    [
      'for a refresh of one for Orders',
      async () => (await signIn(ORDERS)).refresh_token,
      ['a refresh', 'introspection by its client'],
    ],
    ['for a refresh of the app', async () => (await app.login(organization.owner.person)).refreshToken, []],
    [
      'that is the key of a service account',
      async () => (await ofAccount('keys', { name: 'Key' }))['key'],
      ['our API', 'an exchange'],
    ],
    [
      'that is the key of a person',
      async () => {
        const key = { tenantId: organization.id, name: 'Laptop' };
        const { token } = organization.owner.person;
        return (await app.call('POST', '/api/v1/iam/me/keys', key, { token })).body['key'];
      },
      ['our API'],
    ],
    [
      'of a directory',
      async () =>
        (await organization.call('POST', `/directories/${directoryId}/tokens`, { name: 'Entra' })).body[
          'token'
        ],
      ['SCIM'],
    ],
    [
      'that is an identity assertion of ours',
      async () => {
        const form = {
          grant_type: `${GRANT}token-exchange`,
          requested_token_type: `${TYPE}id-jag`,
          audience: 'https://partner.example',
          subject_token_type: `${TYPE}id_token`,
          subject_token: (await signIn()).id_token ?? '',
        };
        return (await client.post('/oauth2/token', form)).body['access_token'];
      },
      [],
    ],
  ])('%s is accepted where it belongs, and nowhere else', async (_, tokenOf, at) => {
    const token = await tokenOf();
    expect(token).toEqual(expect.stringMatching(/^.{20,}$/));
    const accepted: VerifierName[] = [];
    // A refresh may be the last use of a token.
    for (const name of [...VERIFIERS].sort((one) => (one === 'a refresh' ? 1 : -1)))
      if (await ASK[name](String(token))) accepted.push(name);
    expect(accepted.sort()).toEqual([...at].sort());
  });

  it('of this service is exchanged by no rule of an earlier release either', async () => {
    await app.sql(
      `INSERT INTO trust_rules (tenant_id, account_id, id, issuer, audience, conditions, created_by)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        organization.id,
        accountId,
        ulid(),
        ISSUER,
        ORDERS,
        { sub: String(decodeJwt((await signIn(ORDERS)).access_token).sub) },
        organization.owner.person.id,
      ],
    );
    const published = await app.get('/.well-known/jwks.json');
    const keys = jest.spyOn(app.app.get(IssuerKeys, { strict: false }), 'find');
    keys.mockResolvedValue(published.body as unknown as JSONWebKeySet);
    expect(await ASK['an exchange']((await signIn(ORDERS)).access_token)).toBe(false);
    keys.mockRestore();
  });

  it.each([ISSUER, `${ISSUER}/`])(
    'of %s is none of a workload: it would outlive its session',
    async (issuer) => {
      expect(await trust(issuer)).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: 'issuer' }] },
      });
    },
  );
});
