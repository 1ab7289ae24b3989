import { ulid } from 'ulid';
import { OidcStandIn, type Twist } from '../../lab/oidc-stand-in.js';
import { withProvider } from '../../support/external.js';
import { LabConnection, oidcSettings } from '../../support/connection.js';
import { Organization } from '../../support/organization.js';
import { itemsOf, withApp } from '../../support/test-app.js';

/**
 * What providers by OpenID Connect send, after public reports about other services. Each name has
 * the report, as owner/repository#number on GitHub; docs/interop has the links.
 */
describe('A connection by OpenID Connect accepts', () => {
  const oidc = withProvider();
  const app = withApp({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  let organization: Organization;
  let connection: LabConnection;
  const started: OidcStandIn[] = [];
  beforeAll(async () => {
    organization = await Organization.found(app);
    const role = { key: 'engineer', name: 'Engineer', scopes: ['iam:member:read'] };
    await organization.call('POST', '/roles', role);
    connection = await provisioned(await LabConnection.active(organization, oidcSettings(oidc)));
  });
  afterAll(() => Promise.all(started.map((one) => one.close())));

  const provisioned = async (by: LabConnection) => {
    const provisioning = { justInTime: true, syncRoles: 'every-sign-in', onNoMatch: 'default' };
    await by.call('PATCH', '', { provisioning });
    const rule = { attribute: 'groups', operator: 'equals', value: 'Engineering', roles: ['engineer'] };
    expect((await by.call('PUT', '/rules', { items: [rule] })).status).toBe(200);
    return by;
  };
  const set = async (settings: object) => {
    expect((await connection.call('PATCH', '', { settings })).status).toBe(200);
    await connection.pretendTest();
    expect((await connection.call('POST', '/activate')).status).toBe(200);
  };
  const signIn = async (
    person: Record<string, unknown> = {},
    twist: Twist = {},
    by = connection,
    at = oidc,
  ) => {
    const sub = ulid().toLowerCase();
    const email = `${sub}@${by.domain}`;
    at.person = { sub, email, ...person };
    at.twist = twist;
    const { fragment } = await by.bring(at.visit(await by.start()));
    return { email, error: fragment['error'] };
  };
  const rolesOf = async (email: string) => {
    const answer = await organization.call('GET', '/members?limit=100');
    return itemsOf<{ email: string; roles: string[] }>(answer).find((one) => one.email === email)?.roles;
  };
  const failed = async (twist: Twist, person: Record<string, unknown> = {}) => {
    const sub = ulid().toLowerCase();
    oidc.person = { sub, email: `${sub}@${connection.domain}`, ...person };
    oidc.twist = twist;
    const { body } = await connection.call('POST', '/tests');
    await connection.bring(oidc.visit(String(body['authorizationUrl'])));
    const { body: test } = await connection.call('GET', `/tests/${String(body['testId'])}`);
    const steps = test['steps'] as unknown as { name: string; verdict: string; detail: string }[];
    return steps.filter(({ verdict }) => verdict === 'failed').map(({ name }) => name);
  };

  describe('issuers:', () => {
    it.each(['/application/o/gatehouse/', '/realms/main', '/'])(
      'of the path %s, with its slash or without (Freika/dawarich#2925, pigontech/inkvoice#11, wealthfolio/wealthfolio#1239)',
      async (path) => {
        const at = await OidcStandIn.start(0, path);
        started.push(at);
        const by = await provisioned(await LabConnection.active(organization, oidcSettings(at)));
        expect((await signIn({}, {}, by, at)).error).toBeUndefined();
        expect(at.requests.filter((one) => one.includes('//'))).toEqual([]);
      },
    );

    it('but not one whose document has another name (coreos/go-oidc#121, ory/kratos#4536)', async () => {
      const at = await OidcStandIn.start(0, '/tenant/b2c_1_signin/v2.0');
      started.push(at);
      at.twist = { metadata: { issuer: at.issuer.replace('b2c_1_signin/', '') } };
      const answer = await organization.call('POST', '/connections', {
        name: 'B2C',
        ...oidcSettings(at),
      });
      const start =
        answer.status === 201
          ? await connectionTest(String(answer.body['id']))
          : { status: answer.status, body: answer.body };
      expect([400, 503]).toContain(start.status);
    });
  });
  const connectionTest = (id: string) => organization.call('POST', `/connections/${id}/tests`);

  describe('tokens:', () => {
    it.each<[string, Record<string, unknown>]>([
      ['a lower-case type (istio-ecosystem/authservice#255)', { token_type: 'bearer' }],
      ['a lifetime as a text (H2CK/oidc#250)', { expires_in: '300' }],
      ['no lifetime (AnWeber/vscode-httpyac#240, coreos/go-oidc#24)', { expires_in: undefined }],
      ['an extended lifetime (ulrikstrid/ocaml-oidc#17)', { ext_expires_in: 300, scope: 'openid email' }],
    ])('with %s', async (_what, tokens) => {
      expect((await signIn({}, { tokens })).error).toBeUndefined();
    });

    it.each(['refresh_token', 'scope', 'expires_in', 'session_state'])(
      'with null for a missing %s',
      async (part) => {
        expect((await signIn({}, { tokens: { [part]: null } })).error).toBeUndefined();
      },
    );

    it('but none with null for the access token or the ID token', async () => {
      for (const part of ['access_token', 'id_token'])
        expect((await signIn({}, { tokens: { [part]: null } })).error).toBe('invalid_response');
    });

    it('with null in the document of the provider, and in what it says of the person', async () => {
      const at = await OidcStandIn.start();
      started.push(at);
      at.twist = { metadata: { end_session_endpoint: null, scopes_supported: null } };
      const by = await provisioned(await LabConnection.active(organization, oidcSettings(at)));
      expect((await signIn({ given_name: null }, at.twist, by, at)).error).toBeUndefined();
    });

    it('with its nonce, and none without (localstack/localstack#12745, directus/directus#16563)', async () => {
      expect((await signIn()).error).toBeUndefined();
      expect((await signIn({}, { claims: { nonce: undefined } })).error).toBe('invalid_response');
      expect(await failed({ claims: { nonce: undefined } })).toEqual(['nonce']);
    });
  });

  describe('addresses:', () => {
    it('in a list, as of Azure AD B2C (AzureAD/passport-azure-ad#97)', async () => {
      await set({ claims: { email: 'emails' } });
      const emails = [`${ulid().toLowerCase()}@${connection.domain}`];
      const { error } = await signIn({ email: undefined, emails });
      expect([error, await rolesOf(emails[0]!)]).toEqual([undefined, ['member']]);
      for (const none of [[], [1], [['a@b.example']], {}])
        expect((await signIn({ email: undefined, emails: none })).error).toBeDefined();
      await set({ claims: {} });
    });

    it('verified as a text, as of Apple and Cognito (nicokaiser/passport-apple#86, MicrosoftDocs/azure-docs#79712)', async () => {
      for (const verified of [true, 'true'])
        expect((await signIn({ email_verified: verified, is_private_email: 'false' })).error).toBeUndefined();
      for (const verified of [false, 'false'])
        expect((await signIn({ email_verified: verified })).error).toBe('domain_not_verified');
    });

    it('that are missing, which the test names (MicrosoftDocs/azure-docs#16566)', async () => {
      expect(await failed({}, { email: undefined })).toEqual(['domain']);
    });
  });

  describe('groups:', () => {
    it.each<[string, string, Record<string, unknown>]>([
      ['a text (nxzai/NextExplorer#279, tchiotludo/akhq#840)', 'groups', { groups: 'Engineering' }],
      ['a list (goharbor/harbor#15416)', 'groups', { groups: ['Sales', 'Engineering'] }],
      ['another claim', 'roles', { roles: ['Engineering'], groups: ['Other'] }],
      [
        'a claim in claims (zorn-v/nextcloud-social-login#116, sonar-auth-oidc/sonar-auth-oidc#34)',
        'resource_access.gatehouse.roles',
        { resource_access: { account: { roles: ['x'] }, gatehouse: { roles: ['Engineering'] } } },
      ],
      [
        'a claim in claims whose name has dots (OpenIDC/mod_auth_openidc#392)',
        'resource_access.https://app.example/.roles',
        { resource_access: { 'https://app.example/': { roles: ['Engineering'] } } },
      ],
      [
        'a claim whose name is a URL',
        'https://acme.example/claims.groups',
        { 'https://acme.example/claims.groups': ['Engineering'] },
      ],
    ])('as %s', async (_what, groups, claims) => {
      await set({ claims: { groups } });
      const { email, error } = await signIn(claims);
      expect([error, await rolesOf(email)]).toEqual([undefined, ['engineer']]);
      await set({ claims: {} });
    });

    it('but no objects', async () => {
      await set({ claims: { groups: 'groups' } });
      const { email } = await signIn({ groups: [{ name: 'Engineering' }, 7] });
      expect(await rolesOf(email)).toEqual(['member']);
      await set({ claims: {} });
    });
  });

  describe('userinfo:', () => {
    it.each([
      'application/json; charset=utf-8 (BookStackApp/BookStack#5337)',
      'application/json;charset=UTF-8 (DuendeArchive/identity-model-oidc-client-js#635)',
    ])('of the type %s', async (named) => {
      const sub = ulid().toLowerCase();
      const body = { sub, email: `${sub}@${connection.domain}` };
      const userInfo = { status: 200, body, type: named.replace(/ \(.*/, '') };
      expect((await signIn({ sub, email: undefined }, { userInfo })).error).toBeUndefined();
    });

    it.each(['application/jwt', 'application/jwt; charset=utf-8', 'application/jwt;charset=UTF-8'])(
      'that is signed, of the type %s (quarkusio/quarkus#42341, OpenIDC/mod_auth_openidc#525, authelia/authelia#3641)',
      async (type) => {
        const at = await OidcStandIn.start();
        started.push(at);
        const metadata = { userinfo_signing_alg_values_supported: ['ES256'] };
        at.twist = { metadata };
        const by = await provisioned(await LabConnection.active(organization, oidcSettings(at)));
        const sub = ulid().toLowerCase();
        const signed = async (claims: object) => ({
          status: 200,
          type,
          body: await at.sign({ iss: at.issuer, aud: at.clientId, sub, ...claims }),
        });
        const send = async (claims: object) =>
          (await signIn({ sub, email: undefined }, { metadata, userInfo: await signed(claims) }, by, at))
            .error;
        const email = `${sub}@${by.domain}`;
        expect(await send({ email })).toBeUndefined();
        expect(await send({ email, sub: 'other' })).toBe('invalid_response');
        expect(await send({ email, iss: 'https://other.example' })).toBe('invalid_response');
        expect(await send({ email, aud: 'other' })).toBe('invalid_response');
      },
    );
  });
});
