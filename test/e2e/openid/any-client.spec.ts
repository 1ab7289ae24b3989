import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { ClientSecretPost, refreshTokenGrant } from 'openid-client';
import { ClientService } from '../../../src/client/index.js';
import { type Member, Organization, Person } from '../../support/organization.js';
import { readWhole, statementsOf } from '../../support/plans.js';
import { RelyingParty } from '../../support/relying-party.js';
import { withApp } from '../../support/test-app.js';

type Registration = Parameters<ClientService['register']>[1];

const S256 = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' };
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';

/** What libraries of other authors do that a library of today would not (ADR 55). */
describe('A client of other authors', () => {
  let ada: Person;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
  });

  const register = (data: Partial<Registration> = {}) => RelyingParty.register(app, data);
  const registry = () => app.app.get(ClientService, { strict: false });

  /** Opens an authorization request with exactly these parameters. @returns where it leads */
  const open = async (
    { clientId, redirectUri }: Pick<RelyingParty, 'clientId' | 'redirectUri'>,
    parameters: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<URL> => {
    const query = { client_id: clientId, redirect_uri: redirectUri, response_type: 'code', ...parameters };
    const url = `${app.url}/oauth2/authorize?${new URLSearchParams(query)}`;
    const response = await fetch(url, { redirect: 'manual', headers });
    return new URL(response.headers.get('location') ?? `error:${response.status}`);
  };
  /** Opens a request and approves it. @returns where the browser goes with the answer */
  const approve = async (party: RelyingParty, parameters: Readonly<Record<string, string>>): Promise<URL> => {
    const page = await open(party, parameters);
    const { body } = await party.approve(page.searchParams.get('request') ?? '', ada.token);
    return new URL(String(body['redirectTo']));
  };
  const codeOf = (url: URL) => url.searchParams.get('code') ?? '';
  const exchange = (party: RelyingParty, code: string, more: Record<string, string> = {}) =>
    party.post('/oauth2/token', {
      grant_type: 'authorization_code',
      redirect_uri: party.redirectUri,
      code,
      ...more,
    });

  describe('without PKCE', () => {
    const NONCE = { scope: 'openid', nonce: 'n-0S6' };

    it('is refused by default', async () => {
      const { searchParams } = await open(await register(), NONCE);
      expect(searchParams.get('error_description')).toBe('code_challenge is missing (PKCE).');
    });

    it('signs in with a nonce if its registration allows it', async () => {
      const party = await register({ requirePkce: false });
      const { status, body } = await exchange(party, codeOf(await approve(party, NONCE)));
      expect(status).toBe(200);
      expect(decodeJwt(String(body['id_token']))['nonce']).toBe('n-0S6');
    });

    it('must send a nonce for OpenID Connect', async () => {
      const { searchParams } = await open(await register({ requirePkce: false }), { scope: 'openid' });
      expect(searchParams.get('error_description')).toBe('nonce or code_challenge (PKCE) is missing.');
    });

    it('must have the verifier of a challenge that it sent', async () => {
      const party = await register({ requirePkce: false });
      const code = codeOf(await approve(party, { ...NONCE, ...S256 }));
      expect(await exchange(party, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    });

    it('is refused a verifier without a challenge: an attacker removed the challenge', async () => {
      const party = await register({ requirePkce: false });
      const code = codeOf(await approve(party, NONCE));
      expect(await exchange(party, code, { code_verifier: VERIFIER })).toMatchObject({
        status: 400,
        body: {
          error: 'invalid_grant',
          error_description: 'code_verifier was sent, but the request had no code_challenge.',
        },
      });
    });

    it('is not a public client', async () => {
      await expect(register({ type: 'public', requirePkce: false })).rejects.toThrow();
    });
  });

  describe('whose services verify RS256 only', () => {
    it('gets access tokens by it for this service, where its registration asks for them', async () => {
      const party = await register({ accessTokenAlg: 'RS256' });
      const { access_token: token, refresh_token: refreshToken = '' } = await party.signIn(ada.token);
      const { body: jwks } = await app.get('/.well-known/jwks.json');
      const keys = createLocalJWKSet(jwks as unknown as JSONWebKeySet);
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        algorithms: ['RS256'],
        typ: 'at+jwt',
      });
      expect(payload).toMatchObject({ client_id: party.clientId, sub: ada.id });
      expect(protectedHeader.alg).toBe('RS256');
      expect((await app.get('/oauth2/userinfo', token)).status).toBe(200);
      const introspected = await party.post('/oauth2/introspect', { token });
      expect(introspected.body).toMatchObject({ active: true, client_id: party.clientId });
      const refreshed = await refreshTokenGrant(party.config, refreshToken);
      expect(decodeProtectedHeader(refreshed.access_token).alg).toBe('RS256');
      await party.post('/oauth2/revoke', { token: refreshed.access_token });
      expect((await app.get('/oauth2/userinfo', refreshed.access_token)).status).toBe(401);
    });

    it('has ES256 by default, and from the moment at which it changes back', async () => {
      const party = await register();
      const algOf = async () => decodeProtectedHeader((await party.signIn(ada.token)).access_token).alg;
      expect(await algOf()).toBe('ES256');
      await registry().update(null, party.clientId, { accessTokenAlg: 'RS256' });
      expect(await algOf()).toBe('RS256');
      await registry().update(null, party.clientId, { accessTokenAlg: 'ES256' });
      expect(await algOf()).toBe('ES256');
    });

    it('is no client of satellite codes, whose tokens have one algorithm', async () => {
      await expect(register({ satelliteCodes: true, accessTokenAlg: 'RS256' })).rejects.toMatchObject({
        violations: [{ propertyPath: 'accessTokenAlg' }],
      });
    });
  });

  describe('at the token endpoint', () => {
    it('authenticates by either way of its secret', async () => {
      const party = await register();
      expect((await registry().get(party.clientId)).tokenEndpointAuthMethod).toBe('client_secret');
      const { clientId, clientSecret } = party;
      for (const authorization of [party.authorization, null]) {
        const code = codeOf(await approve(party, { scope: 'openid', ...S256 }));
        const answer = await party.post(
          '/oauth2/token',
          {
            grant_type: 'authorization_code',
            redirect_uri: party.redirectUri,
            code,
            code_verifier: VERIFIER,
            ...(authorization === null && { client_id: clientId, client_secret: clientSecret }),
          },
          authorization,
        );
        expect(answer.status).toBe(200);
      }
    });

    it('is told by name that it used another method than that of its registration', async () => {
      const party = await register({ tokenEndpointAuthMethod: 'client_secret_basic' });
      const { clientId: client_id, clientSecret: client_secret } = party;
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id };
      const answer = await party.post('/oauth2/token', { ...form, client_secret }, null);
      expect(answer).toMatchObject({
        status: 401,
        body: {
          error: 'invalid_client',
          error_description: 'The client is registered for client_secret_basic, and used client_secret_post.',
        },
      });
      const wrong = await party.post('/oauth2/token', { ...form, client_secret: 'wrong' }, null);
      const unknown = await party.post(
        '/oauth2/token',
        { ...form, client_id: 'unknown', client_secret },
        null,
      );
      expect(wrong.status).toBe(401);
      expect(wrong.body).toEqual(unknown.body);
      expect(wrong.body['error_description']).not.toContain('client_secret_basic');
    });

    it('reads why it is refused in the challenge too, which its library shows in place of the body', async () => {
      const party = await register({});
      const wrong = await RelyingParty.of(
        app,
        { ...party, clientSecret: 'wrong' },
        ClientSecretPost('wrong'),
      );
      const error_description = 'The client is unknown or disabled, or its secret or assertion is wrong.';
      await expect(refreshTokenGrant(wrong.config, 'x')).rejects.toMatchObject({
        cause: [
          { scheme: 'basic', parameters: { realm: 'Gatehouse', error: 'invalid_client', error_description } },
        ],
      });
    });

    it('is told that only service accounts have client_credentials', async () => {
      const party = await register({});
      const { status, body } = await party.post('/oauth2/token', { grant_type: 'client_credentials' });
      expect([status, body]).toEqual([
        401,
        {
          error: 'invalid_client',
          error_description:
            'No service account has these credentials. Clients of people have no client_credentials.',
        },
      ]);
    });

    it('is told that a public client has no secret', async () => {
      const party = await register({ type: 'public' });
      const form = { grant_type: 'refresh_token', refresh_token: 'x', client_id: party.clientId };
      const { body } = await party.post('/oauth2/token', { ...form, client_secret: 'made-up' }, null);
      expect(body['error_description']).toBe(
        'The client is registered for none, and used client_secret_post.',
      );
    });

    it.each([
      ['a padded verifier', `${VERIFIER}=`, /43 to 128 letters/],
      ['another verifier', VERIFIER.replace('d', 'e'), /not of the code_challenge/],
    ])('is told by name about %s', async (_, code_verifier, message) => {
      const party = await register();
      const code = codeOf(await approve(party, { scope: 'openid', ...S256 }));
      const { status, body } = await exchange(party, code, { code_verifier });
      expect([status, body['error']]).toEqual([400, 'invalid_grant']);
      expect(body['error_description']).toMatch(message);
      // A wrong verifier burns the code.
      expect((await exchange(party, code, { code_verifier: VERIFIER })).status).toBe(400);
    });

    it('is told by name about another redirect URI', async () => {
      const party = await register();
      const code = codeOf(await approve(party, { scope: 'openid', ...S256 }));
      const { body } = await exchange(party, code, {
        code_verifier: VERIFIER,
        redirect_uri: 'https://a.example/',
      });
      expect(body['error_description']).toBe('redirect_uri is not that of the authorization request.');
    });
  });

  describe('in the ID token', () => {
    const claimsOf = async (data: Partial<Registration>, scope: string) => {
      const party = await register(data);
      return decodeJwt((await party.signIn(ada.token, { scope })).id_token ?? '');
    };
    const PROFILE = { name: 'Ada', given_name: 'Ada' };

    it('reads what the scopes ask for, at a refresh too', async () => {
      const email = { email: ada.email, email_verified: true };
      const all = { ...PROFILE, ...email, preferred_username: ada.email };
      expect(await claimsOf({}, 'openid profile email')).toMatchObject(all);
      const party = await register();
      const { refresh_token = '' } = await party.signIn(ada.token);
      const { body } = await party.post('/oauth2/token', { grant_type: 'refresh_token', refresh_token });
      expect(decodeJwt(String(body['id_token']))).toMatchObject(all);
    });

    it('reads no more than the scopes ask for', async () => {
      const onlyOpenId = await claimsOf({}, 'openid');
      const onlyProfile = await claimsOf({}, 'openid profile');
      expect(onlyProfile).toMatchObject(PROFILE);
      for (const claim of ['email', 'email_verified', 'preferred_username']) {
        expect(onlyOpenId).not.toHaveProperty(claim);
        expect(onlyProfile).not.toHaveProperty(claim);
      }
      expect(onlyOpenId).not.toHaveProperty('name');
    });

    it('reads nothing if its registration says so, as that of a client from before does', async () => {
      expect(await claimsOf({ idTokenClaims: 'none' }, 'openid profile email')).not.toHaveProperty('name');
      const [row] = await app.sql<{ column_default: string }>(
        `SELECT column_default FROM information_schema.columns WHERE table_name = 'satellites' AND column_name = 'id_token_claims'`,
      );
      expect(row?.column_default).toContain('none');
    });
  });

  it('learns the user name from userinfo and introspection, with profile and email', async () => {
    for (const [scope, name] of [
      ['openid profile email', ada.email],
      ['openid email', undefined],
    ] as const) {
      const party = await register();
      const { access_token: token, refresh_token } = await party.signIn(ada.token, { scope });
      expect((await app.get('/oauth2/userinfo', token)).body['preferred_username']).toBe(name);
      for (const one of [token, String(refresh_token)])
        expect((await party.post('/oauth2/introspect', { token: one })).body['username']).toBe(name);
    }
  });

  describe('of people without an address', () => {
    const NOTHING = Array<undefined>(4).fill(undefined);
    let acme: Organization;
    let crm: RelyingParty;
    beforeAll(async () => {
      acme = await Organization.found(app);
      const redirectUri = 'https://crm.example/callback';
      const { body } = await acme.call('POST', '/clients', { name: 'CRM', redirectUris: [redirectUri] });
      const [clientId, clientSecret] = [String(body['clientId']), String(body['clientSecret'])];
      crm = await RelyingParty.of(app, { clientId, clientSecret, redirectUri });
    });

    /** Makes a member a worker. @returns a token of a session outside of stations */
    const hire = async (number: string, { hasAddress = false } = {}): Promise<Member> => {
      const member = await acme.join('member');
      await app.sql(
        'INSERT INTO workers (tenant_id, user_id, number, number_key) VALUES ($1, $2, $3, lower($3))',
        [acme.id, member.person.id, number],
      );
      if (!hasAddress)
        await app.sql(
          `WITH changed AS (UPDATE accounts SET email = NULL, email_key = NULL WHERE id = $1 RETURNING id)
           SELECT pg_notify('gatehouse_profile_changed', id) FROM changed`,
          [member.person.id],
        );
      return member;
    };

    /** Returns the user name by each way to it. */
    const namesOf = async (party: RelyingParty, { token }: Member, scope: string) => {
      const { access_token, refresh_token, id_token } = await party.signIn(token, { scope });
      const introspected = await Promise.all(
        [access_token, String(refresh_token)].map((one) => party.post('/oauth2/introspect', { token: one })),
      );
      return [
        decodeJwt(id_token ?? '')['preferred_username'],
        (await app.get('/oauth2/userinfo', access_token)).body['preferred_username'],
        ...introspected.map(({ body }) => body['username']),
      ];
    };

    it('learns their number as the user name, as an app of the organization', async () => {
      const grace = await hire('W-1');
      const number = Array(4).fill('W-1');
      expect(await namesOf(crm, grace, 'openid profile email')).toEqual(number);
      expect(await namesOf(crm, grace, 'openid profile')).toEqual(number);
      expect(await namesOf(crm, grace, 'openid email')).toEqual(NOTHING);
    });

    it('learns it together with the organization only, in which it is unique', async () => {
      const grace = await hire('W-2');
      const party = await register();
      expect(await namesOf(party, grace, 'openid profile email')).toEqual(NOTHING);
      expect(await namesOf(party, grace, 'openid profile tenant')).toEqual(Array(4).fill('W-2'));
      const { person } = grace;
      const outside = { person, token: person.token };
      expect(await namesOf(party, outside, 'openid profile tenant')).toEqual(NOTHING);
    });

    it('learns the address of a worker who has one', async () => {
      const grace = await hire('W-3', { hasAddress: true });
      const address = Array(4).fill(grace.person.email);
      expect(await namesOf(crm, grace, 'openid profile email')).toEqual(address);
      expect(await namesOf(crm, grace, 'openid profile')).toEqual(NOTHING);
    });

    it('costs one statement by an index for them, and none for people with an address', async () => {
      await app.sql(
        `WITH n AS (SELECT 'many-' || n AS id FROM generate_series(1, 5000) n),
           a AS (INSERT INTO accounts (id, first_name) SELECT id, 'Ada' FROM n),
           m AS (INSERT INTO members (tenant_id, user_id) SELECT $1, id FROM n)
         INSERT INTO workers (tenant_id, user_id, number, number_key) SELECT $1, id, id, id FROM n`,
        [acme.id],
      );
      await app.sql('ANALYZE workers');
      const statementsFor = async ({ token }: Member) => {
        const { access_token } = await crm.signIn(token);
        const sent = await statementsOf(() => app.get('/oauth2/userinfo', access_token));
        return sent.filter(([sql]) => sql.includes('workers'));
      };
      const sent = await statementsFor(await hire('W-4'));
      expect(sent).toHaveLength(1);
      expect(await readWhole(app, sent)).toEqual([]);
      expect(await statementsFor(await hire('W-5', { hasAddress: true }))).toEqual([]);
    });
  });

  describe('with a response mode', () => {
    it('gets the answer in the fragment', async () => {
      const party = await register();
      const request = { scope: 'openid', state: 's', response_mode: 'fragment', ...S256 };
      const url = await approve(party, request);
      const answer = new URLSearchParams(url.hash.slice(1));
      expect(url.search).toBe('');
      expect(answer.get('state')).toBe('s');
      expect(answer.get('iss')).toBe('http://gatehouse.test');
      expect((await exchange(party, answer.get('code') ?? '', { code_verifier: VERIFIER })).status).toBe(200);
    });

    it('gets errors in the fragment, so that it does not start again and again', async () => {
      const refused = await open(await register(), { scope: 'openid', response_mode: 'fragment' });
      expect(new URLSearchParams(refused.hash.slice(1)).get('error')).toBe('invalid_request');
      expect(refused.search).toBe('');
    });

    const pageAt = async (url: URL) => {
      const response = await fetch(app.url + url.pathname + url.search, { headers: { accept: 'text/html' } });
      const page = await response.text();
      const fields = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
        name,
        value,
      ]);
      return { response, page, fields: Object.fromEntries(fields) as Record<string, string> };
    };

    it('gets the answer by a form that the browser posts, and a log shows no code', async () => {
      const party = await register();
      const request = { scope: 'openid', state: '"><b>', response_mode: 'form_post', ...S256 };
      const url = await approve(party, request);
      expect(url.href).toMatch(/^http:\/\/gatehouse\.test\/oauth2\/authorize\/answer\?answer=[\w-]+$/);
      const { response, page, fields } = await pageAt(url);
      expect(response.status).toBe(200);
      expect(page).toContain(`<form method="post" action="${party.redirectUri}">`);
      expect(fields).toMatchObject({ state: '&#34;&#62;&#60;b&#62;', iss: 'http://gatehouse.test' });
      expect(url.href).not.toContain(fields['code']);
      const policy = response.headers.get('content-security-policy') ?? '';
      const script = /<script>([^<]+)<\/script>/.exec(page)?.[1] ?? '';
      const hash = createHash('sha256').update(script).digest('base64');
      expect(policy).toContain(`'sha256-${hash}'`);
      expect(policy).toContain(`form-action ${new URL(party.redirectUri).origin} https:`);
      expect((await exchange(party, fields['code'] ?? '', { code_verifier: VERIFIER })).status).toBe(200);
    });

    it('gets errors by a form as well', async () => {
      const url = await open(await register(), { scope: 'openid', response_mode: 'form_post' });
      expect((await pageAt(url)).fields['error']).toBe('invalid_request');
    });

    it('has no page for an answer that is forged, or older than a minute', async () => {
      const url = await open(await register(), { scope: 'openid', response_mode: 'form_post' });
      const forged = new URL(url);
      forged.searchParams.set('answer', 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQq83vEjRWeJA');
      expect((await pageAt(forged)).response.status).toBe(400);
      const now = Date.now();
      const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 61_000);
      try {
        expect((await pageAt(url)).response.status).toBe(400);
      } finally {
        clock.mockRestore();
      }
    });

    it('is refused an unknown mode, in the query', async () => {
      const { searchParams } = await open(await register(), {
        scope: 'openid',
        response_mode: 'web_message',
      });
      expect(searchParams.get('error_description')).toBe(
        'response_mode must be query, fragment or form_post.',
      );
    });
  });

  it.each(['iframe', 'object'])('is answered at once with prompt=none in an %s', async (destination) => {
    const party = await register();
    const frame = { 'sec-fetch-dest': destination };
    const silent = { scope: 'openid', prompt: 'none', state: 's', ...S256 };
    const { searchParams } = await open(party, silent, frame);
    expect([searchParams.get('error'), searchParams.get('state')]).toEqual(['login_required', 's']);
    expect((await open(party, silent, { 'sec-fetch-dest': 'document' })).pathname).toBe('/authorize');
    expect((await open(party, { ...silent, prompt: 'login' }, frame)).pathname).toBe('/authorize');
  });

  describe('at the logout, without hint and client id', () => {
    const logout = async (query: Readonly<Record<string, string>>) => {
      const url = `${app.url}/oauth2/logout?${new URLSearchParams(query)}`;
      const response = await fetch(url, { redirect: 'manual' });
      return new URL(response.headers.get('location') ?? `error:${response.status}`);
    };

    it('asks the person, who returns to the registered address', async () => {
      const back = 'https://shop.example/signed-out';
      const party = await register({ postLogoutRedirectUris: [back] });
      const { pathname, searchParams } = await logout({ post_logout_redirect_uri: back, state: 's' });
      expect(pathname).toBe('/sign-out');
      expect(Object.fromEntries(searchParams)).toEqual({
        client_id: party.clientId,
        post_logout_redirect_uri: back,
        state: 's',
      });
    });

    it('finds the client by an index among many', async () => {
      await app.sql(
        `INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash, post_logout_redirect_uris)
         SELECT 'many-' || n, 'many-' || n, 'x', '{}', '', ARRAY['https://many.example/' || n] FROM generate_series(1, 5000) n`,
      );
      await app.sql('ANALYZE satellites');
      const uri = 'https://many.example/4999';
      const sent = await statementsOf(() => logout({ post_logout_redirect_uri: uri }));
      const [sql = '', parameters = []] = sent.find(([text]) => text.includes('@>')) ?? [];
      const plan = JSON.stringify(await app.sql(`EXPLAIN ${sql}`, [...parameters]));
      expect(plan).toContain('satellites_post_logout_idx');
      expect(plan).not.toContain('Seq Scan');
    });

    it('asks the person, who stays, for an unknown address or a disabled client', async () => {
      const back = 'https://gone.example/';
      const { clientId } = await register({ postLogoutRedirectUris: [back] });
      await registry().disable(null, clientId);
      for (const uri of [back, 'https://unknown.example/']) {
        const { pathname, search } = await logout({ post_logout_redirect_uri: uri });
        expect([pathname, search]).toEqual(['/sign-out', '']);
      }
    });
  });

  it.each([
    '/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/jwks.json',
    '/oauth2/token',
    '/oauth2/userinfo',
  ])('of a browser passes the preflight of %s', async (path) => {
    const response = await fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://spa.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-okta-user-agent-extended',
      },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toContain('x-okta-user-agent-extended');
  });

  describe('without scope', () => {
    it('has its default set, also without PKCE and nonce: it speaks OAuth', async () => {
      const party = await register({ requirePkce: false });
      const { body } = await exchange(party, codeOf(await approve(party, {})));
      expect(body['scope']).toBe('openid profile email');
      const { body: person } = await app.get('/oauth2/userinfo', String(body['access_token']));
      expect(person).toMatchObject({ sub: ada.id, name: 'Ada', email: ada.email });
    });

    it('has the permissions of its registration, but never *', async () => {
      const scopesOf = async (scopes: string[]) => {
        const party = await register({ scopes });
        const page = await open(party, S256);
        return (await party.read(page.searchParams.get('request') ?? '')).body['scopes'];
      };
      expect(await scopesOf(['iam:member:read'])).toEqual(['openid', 'profile', 'email', 'iam:member:read']);
      expect(await scopesOf(['*'])).toEqual(['openid', 'profile', 'email']);
    });
  });

  describe('of a device of the person', () => {
    it.each([
      ['http://localhost/cb', 'http://localhost:4711/cb', true],
      ['http://localhost:1/cb', 'http://localhost:4711/cb', true],
      ['http://127.0.0.1/', 'http://127.0.0.1:4321', true],
      ['http://localhost/cb', 'http://localhost:4711/other', false],
      ['http://localhost/cb', 'http://127.0.0.1:4711/cb', false],
      ['http://localhost/cb', 'http://localhost.evil.example:4711/cb', false],
    ])('registered with %s may return to %s: %s', async (registered, redirectUri, isAccepted) => {
      const { clientId } = await register({ type: 'public', redirectUris: [registered] });
      const url = await open({ clientId, redirectUri }, { scope: 'openid', ...S256 });
      expect(url.pathname === '/authorize').toBe(isAccepted);
    });

    it('is confidential, and returns to the registered port only', async () => {
      const { clientId } = await register({ redirectUris: ['http://localhost:1/cb'] });
      const query = { scope: 'openid', ...S256 };
      expect((await open({ clientId, redirectUri: 'http://localhost:2/cb' }, query)).href).toBe('error:400');
    });

    it('returns to an address of its own scheme, after a logout too', async () => {
      const own = {
        redirectUris: ['com.example.app:/cb'],
        postLogoutRedirectUris: ['com.example.app://bye'],
      };
      const party = await register({ type: 'public', ...own });
      const url = await approve(party, { scope: 'openid', ...S256 });
      expect(url.href).toMatch(/^com\.example\.app:\/cb\?code=/);
      const form = await open(party, { scope: 'openid', response_mode: 'form_post', ...S256 });
      expect(form.href).toMatch(/^com\.example\.app:\/cb\?error=invalid_request/);
    });

    it.each([
      'javascript:alert(1)',
      'cursor://cb',
      'com.example.app:cb',
      'com.example.app:/a/../b',
      'com.example.app:/*',
      'com.example.app://user@host/',
      'data.text:/x?y#z',
    ])('cannot have the address %s', async (uri) => {
      await expect(register({ type: 'public', redirectUris: [uri] })).rejects.toThrow();
    });

    it('of its own scheme is a public client', async () => {
      await expect(register({ redirectUris: ['com.example.app:/cb'] })).rejects.toThrow();
    });

    it('without a browser has no redirect URI', async () => {
      const { client } = await registry().register(null, {
        clientId: 'scale-of-the-depot',
        name: 'Scale',
        type: 'public',
        grantTypes: [DEVICE_CODE],
      });
      expect(client.redirectUris).toEqual([]);
      const body = new URLSearchParams({ client_id: client.clientId });
      const response = await fetch(`${app.url}/oauth2/device_authorization`, { method: 'POST', body });
      expect(response.status).toBe(200);
      const codes: Partial<Registration> = { grantTypes: ['authorization_code', DEVICE_CODE] };
      await expect(registry().update(null, client.clientId, codes)).rejects.toThrow();
      await expect(
        registry().register(null, { clientId: 'no-address', name: 'x', firstParty: true }),
      ).rejects.toThrow();
    });
  });

  it('authenticates in the form by the default of its library', async () => {
    const party = await register();
    const { clientId, clientSecret, redirectUri } = party;
    const other = await RelyingParty.of(
      app,
      { clientId, clientSecret, redirectUri },
      ClientSecretPost(clientSecret),
    );
    expect((await other.signIn(ada.token)).claims()?.['name']).toBe('Ada');
  });
});
