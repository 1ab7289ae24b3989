import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt, importJWK, SignJWT } from 'jose';
import { None } from 'openid-client';
import { ulid } from 'ulid';
import { AgentPolicies } from '../../../src/client/index.js';
import { ClientDocumentRepository } from '../../../src/client/documents/client-document.repository.js';
import type { TenantId } from '../../../src/kernel/index.js';
import { ClientSite } from '../../support/client-site.js';
import { Organization, Person, setSignInPolicy } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator } from '../../support/satellite.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';

const SHOP = 'https://shop.example/api';
const SCOPES = [
  { name: 'read', title: 'Read orders' },
  { name: 'write', title: 'Change orders' },
];
const PLATFORM_POLICY = '/api/v1/operator/agent-policy';
const REFUSED = '/errors/agent-not-allowed';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const PRIVATE_KEYS = {
  keys: [generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' })],
};
type Form = Readonly<Record<string, string>>;

describe('Clients by metadata document', () => {
  let app: TestApp;
  let site: ClientSite;
  let operator: Person;
  let acme: Organization;
  let globex: Organization;
  let shop: string;
  let credential: string;
  beforeAll(async () => {
    site = await ClientSite.start();
    app = await TestApp.start({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    operator = await signUpOperator(app);
    acme = await Organization.found(app);
    globex = await Organization.found(app);
    const api = await call('POST', '/api/v1/iam/apis', { identifier: SHOP, name: 'Shop', scopes: SCOPES });
    shop = String(api.body['id']);
    const { body } = await call('POST', `/api/v1/iam/apis/${shop}/credentials`);
    credential = `Basic ${Buffer.from(`${shop}:${String(body['clientSecret'])}`).toString('base64')}`;
  });
  afterAll(async () => {
    await app.stop();
    await site.stop();
  });

  const call = (method: string, path: string, body?: unknown) =>
    app.call(method, path, body, { token: operator.token });
  let paths = 0;
  /** Publishes a new client. */
  const publish = (document: object = {}, headers: Record<string, string> = {}) =>
    site.publish(`/agent-${(paths += 1)}`, document, headers);
  const allow = async (organization: Organization, policy: object) => {
    const { status, body } = await organization.call('PUT', '/agent-policy', policy);
    expect([status, body]).toEqual([200, expect.objectContaining(policy)]);
  };
  const allowing = (...names: string[]) => ({
    clients: 'any',
    scopes: names.map((name) => `${shop}/${name}`),
  });
  const partyOf = (clientId: string, redirectUri = `${clientId}/callback`): Promise<RelyingParty> =>
    RelyingParty.of(app, { clientId, clientSecret: '', redirectUri }, None(), 'ES256');
  const post = (party: RelyingParty, form: Form) =>
    party.post('/oauth2/token', { client_id: party.clientId, ...form }, null);
  /** Lets a client act in the name of a person. @returns the answer of the token endpoint */
  const connect = async (
    clientId: string,
    person: { token: string },
    parameters: Form = {},
    form: Form = {},
  ) => {
    const party = await partyOf(clientId, parameters['redirect_uri']);
    const request = await party.request({ resource: SHOP, scope: 'read write', ...parameters });
    const approved = await party.approve(request.id, person.token);
    if (approved.status !== 200) return { party, ...approved };
    const code = new URL(String(approved.body['redirectTo'])).searchParams.get('code') ?? '';
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: party.redirectUri };
    return { party, ...(await post(party, { ...exchange, code_verifier: request.verifier, ...form })) };
  };
  const refresh = (party: RelyingParty, { refresh_token: token }: Record<string, unknown>) =>
    post(party, { grant_type: 'refresh_token', refresh_token: String(token) });
  const introspect = async (token: unknown) => {
    const form = new URLSearchParams({ token: String(token) });
    const headers = { authorization: credential };
    const response = await fetch(`${app.url}/oauth2/introspect`, { method: 'POST', headers, body: form });
    return (await response.json()) as Record<string, unknown>;
  };
  const inactive = (token: unknown) =>
    eventually('the token is inactive', async () => !(await introspect(token))['active'], 1_000);
  /** Opens a request of a client. @returns the page that refuses it, or null */
  const refusalOf = async (clientId: string, parameters: Form = {}): Promise<string | null> => {
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: `${clientId}/callback`,
      response_type: 'code',
      resource: SHOP,
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
      ...parameters,
    });
    const response = await fetch(`${app.url}/oauth2/authorize?${query}`, { redirect: 'manual' });
    if (response.status === 303) return null;
    const { violations } = (await response.json()) as { violations: { message: string }[] };
    return violations[0]?.message ?? '';
  };
  const rows = async () => Number((await app.sql('SELECT count(*) FROM satellites'))[0]?.['count']);

  it('are announced, and not even fetched before they are allowed', async () => {
    const metadata = await app.get('/.well-known/oauth-authorization-server');
    expect(metadata.body['client_id_metadata_document_supported']).toBe(true);
    const clientId = publish();
    expect(await refusalOf(clientId)).toBe('no organization allows this client.');
    const party = await partyOf(clientId);
    expect(await post(party, { grant_type: 'refresh_token', refresh_token: 'x' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client', error_description: 'no organization allows this client.' },
    });
    expect(site.requests).toEqual([]);
    expect((await acme.call('GET', '/agent-policy')).body).toEqual({
      clients: 'off',
      listed: [],
      scopes: [],
      maxDays: null,
    });
  });

  it('act in the name of a person who has consented, with what the organization allows', async () => {
    await allow(acme, { ...allowing('read'), maxDays: 30 });
    const clientId = publish({ client_name: 'Shop\u202e agent', logo_uri: 'https://192.168.1.1/x.png' });
    const party = await partyOf(clientId);
    const { id } = await party.request({ resource: SHOP, scope: 'openid profile email read write' });
    expect((await party.read(id, acme.owner.token)).body).toMatchObject({
      client: { clientId, idHost: new URL(site.origin).host, name: 'Shop agent', logoUri: null },
      scopes: ['openid'],
      api: { identifier: SHOP, name: 'Shop', scopes: SCOPES },
      firstParty: false,
      needsConsent: true,
    });
    const { body } = await connect(clientId, acme.owner);
    expect(body).toMatchObject({ token_type: 'Bearer', scope: 'read', refresh_token: expect.any(String) });
    const claims = decodeJwt(String(body['access_token']));
    expect(claims).toMatchObject({
      aud: SHOP,
      client_id: clientId,
      act: { sub: clientId },
      tid: acme.id,
      scope: 'read',
    });
    expect(JSON.stringify(claims)).not.toContain(acme.owner.person.id);
    expect(await introspect(body['access_token'])).toMatchObject({ active: true, act: { sub: clientId } });
    // The document was fetched once, and the person is asked each time.
    expect(site.requests.filter((path) => site.origin + path === clientId)).toHaveLength(1);
    const again = await party.request({ resource: SHOP, scope: 'read' });
    expect((await party.read(again.id, acme.owner.token)).body['needsConsent']).toBe(true);
    const silent = await party.request({ resource: SHOP, scope: 'read', prompt: 'none' });
    const answer = await party.approve(silent.id, acme.owner.token);
    expect(String(answer.body['redirectTo'])).toContain('error=consent_required');
  });

  it('are decided in the selected organization: two allow one client each', async () => {
    const [one, two] = [publish(), publish()];
    await allow(acme, { ...allowing('read'), clients: 'listed', listed: [one] });
    await allow(globex, { ...allowing('write'), clients: 'listed', listed: [two] });
    const scopeOf = async (clientId: string, { owner }: { owner: { token: string } }) => {
      const { status, body } = await connect(clientId, owner);
      return status === 200 ? body['scope'] : body['type'];
    };
    expect([await scopeOf(one, acme), await scopeOf(two, acme)]).toEqual(['read', REFUSED]);
    expect([await scopeOf(one, globex), await scopeOf(two, globex)]).toEqual([REFUSED, 'write']);
    // A person without an organization asks the platform, which allows none.
    const ada = await Person.signUp(app);
    expect(await scopeOf(one, { owner: ada })).toBe(REFUSED);
    expect((await call('PUT', PLATFORM_POLICY, allowing('write'))).status).toBe(200);
    await eventually('the platform allows it', async () => {
      return (await scopeOf(one, { owner: ada })) === 'write';
    });
    expect((await call('PUT', PLATFORM_POLICY, { clients: 'off' })).status).toBe(200);
    // An origin stands for its clients.
    await allow(acme, { ...allowing('read'), clients: 'listed', listed: [site.origin] });
    expect(await scopeOf(two, acme)).toBe('read');
  });

  it('get nothing of this service, and of no API that no organization allows them', async () => {
    await allow(acme, allowing('read'));
    const clientId = publish();
    const party = await partyOf(clientId);
    const other = { identifier: 'https://other.example', name: 'Other', scopes: SCOPES };
    expect((await call('POST', '/api/v1/iam/apis', other)).status).toBe(201);
    const requests: Form[] = [
      { scope: 'openid' },
      { scope: 'openid', resource: 'http://gatehouse.test' },
      { scope: 'read', resource: 'https://other.example' },
      { scope: 'read', resource: 'https://unknown.example' },
    ];
    for (const parameters of requests)
      expect([
        parameters,
        (await party.open((await party.depart(parameters)).url)).searchParams.get('error'),
      ]).toEqual([parameters, 'invalid_target']);
    const { body } = await connect(clientId, acme.owner);
    const own = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
    expect((await post(party, { ...own, resource: 'http://gatehouse.test' })).body['error']).toBe(
      'invalid_target',
    );
    expect((await app.get('/api/v1/iam/me', String(body['access_token']))).status).toBe(401);
    const device = await party.post('/oauth2/device_authorization', { client_id: clientId }, null);
    expect(device.body['error']).toBe('unauthorized_client');
  });

  describe('whose document is refused', () => {
    beforeAll(() => allow(acme, allowing('read')));

    it.each([
      ['names another client', { client_id: 'https://shop.example/agent' }, /its address/],
      ['has a secret', { client_secret: 'x' }, /client_secret/],
      ['says when its secret ends', { client_secret_expires_at: 0 }, /client_secret/],
      ['authenticates by a secret', { token_endpoint_auth_method: 'client_secret_basic' }, /none or private/],
      [
        'lists a method by a secret',
        { token_endpoint_auth_methods_supported: ['none', 'client_secret_jwt'] },
        /none or private/,
      ],
      [
        'supports other methods only',
        {
          token_endpoint_auth_method: undefined,
          token_endpoint_auth_methods_supported: ['tls_client_auth'],
        },
        /none or private/,
      ],
      [
        'supports a key, and has none',
        {
          token_endpoint_auth_method: undefined,
          token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
        },
        /jwks/,
      ],
      ['returns to another site', { redirect_uris: ['https://evil.example/callback'] }, /same origin/],
      ['returns to no web address', { redirect_uris: ['javascript:alert(1)', 'com.app:/x'] }, /same origin/],
      ['has no redirect URI', { redirect_uris: [] }, /same origin/],
      ['is not one object', { redirect_uris: 'x' }, /same origin/],
      ['has no keys', { token_endpoint_auth_method: 'private_key_jwt' }, /jwks/],
      [
        'has keys at a private address',
        { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://10.0.0.1/jwks' },
        /jwks_uri must be a public/,
      ],
      [
        'shows a private key',
        { token_endpoint_auth_method: 'private_key_jwt', jwks: PRIVATE_KEYS },
        /public keys only/,
      ],
      [
        'shows a private key next to its jwks_uri',
        {
          token_endpoint_auth_method: 'private_key_jwt',
          jwks_uri: 'https://agent.example/jwks',
          jwks: PRIVATE_KEYS,
        },
        /public keys only/,
      ],
      ['shows a private key that it does not use', { jwks: PRIVATE_KEYS }, /public keys only/],
      ['shows a symmetric key', { jwks: { keys: [{ kty: 'oct', k: 'eA' }] } }, /public keys only/],
      ['is too long', { client_uri: 'x'.repeat(5_200) }, /5120 bytes/],
    ])('%s', async (_, document, reason) => {
      const before = await rows();
      expect(await refusalOf(publish(document))).toMatch(reason);
      expect(await rows()).toBe(before);
    });

    it.each([
      ['is moved', 302, { location: '/agent-1' }, '{}', /cannot be read/],
      ['is missing', 404, {}, '{}', /answered with 200/],
      ['is a page', 200, { 'content-type': 'text/html' }, '{}', /of the type application\/json/],
      ['is no JSON', 200, { 'content-type': 'application/json' }, '{', /an object of JSON/],
    ])('%s', async (_, status, headers: Record<string, string>, body, reason) => {
      const path = `/refused-${(paths += 1)}`;
      const before = site.requests.length;
      const clientId = site.answer(path, (__, response) => response.writeHead(status, headers).end(body));
      expect(await refusalOf(clientId)).toMatch(reason);
      // Nothing was followed, and nothing is remembered.
      expect(site.requests.slice(before)).toEqual([path]);
      site.publish(path);
      expect(await refusalOf(clientId)).toBeNull();
    });

    it.each([
      'https://127.0.0.1:1/agent',
      'https://localhost/agent',
      'https://[::1]/agent',
      'https://169.254.169.254/latest/meta-data',
      'https://10.0.0.1/agent',
      'https://0x7f.1/agent',
      'http://shop.example/agent',
      'https://shop.example',
      'https://shop.example/',
      'https://user@shop.example/agent',
      'https://shop.example:443/agent',
      'https://shop.example/a/../agent',
      'https://shop.example/agent#x',
      'https://SHOP.example/agent',
      'https://shоp.example/agent',
      'file:///etc/passwd',
      'ftp://shop.example/agent',
      `https://shop.example/${'x'.repeat(250)}`,
    ])('names %s, to which nothing is sent', async (clientId) => {
      const before = site.requests.length;
      const reason = await refusalOf(clientId);
      expect(reason).toMatch(/^(?:client_id must be|the document cannot be read)/);
      expect(site.requests.length).toBe(before);
    });
  });

  it('show their host in ASCII', async () => {
    await allow(acme, allowing('read'));
    const clientId = 'https://xn--shp-qqc.example/agent';
    const documents = app.app.get(ClientDocumentRepository, { strict: false });
    const traits = {
      name: 'Shop',
      redirectUris: [`${clientId}/callback`],
      type: 'public',
      grantTypes: ['authorization_code'],
      tokenEndpointAuthMethod: 'none',
      jwks: null,
      jwksUri: null,
      requireDpop: false,
      logoUri: null,
    } as const;
    await documents.keep(clientId, traits as never, Buffer.alloc(32), 600);
    const party = await partyOf(clientId);
    const { id } = await party.request({ resource: SHOP, scope: 'read' });
    expect((await party.read(id)).body['client']).toMatchObject({ idHost: 'xn--shp-qqc.example' });
  });

  it('return to each port of a loopback address, and to other addresses only once published', async () => {
    await allow(acme, allowing('read'));
    const clientId = publish({ redirect_uris: ['http://127.0.0.1:1/cb', 'https://evil.example/cb'] });
    const local = { redirect_uri: 'http://127.0.0.1:50123/cb' };
    expect((await connect(clientId, acme.owner, local)).status).toBe(200);
    expect(await refusalOf(clientId, { redirect_uri: 'https://evil.example/cb' })).toMatch(/not registered/);
    const path = clientId.slice(site.origin.length);
    const fetches = () => site.requests.filter((one) => one === path).length;
    site.publish(path, { redirect_uris: [`${site.origin}/new`] });
    // It was fetched less than a minute ago.
    expect(await refusalOf(clientId, { redirect_uri: `${site.origin}/new` })).toMatch(/not registered/);
    expect(fetches()).toBe(1);
    await app.sql(
      "UPDATE satellites SET document_fetched_at = now() - interval '2 minutes' WHERE client_id = $1",
      [clientId],
    );
    await eventually('the document is fetched again', async () => {
      return (await refusalOf(clientId, { redirect_uri: `${site.origin}/new` })) === null;
    });
    expect(fetches()).toBe(2);
    expect(await refusalOf(clientId, local)).toMatch(/not registered/);
  });

  it('push a request to an address that they have published since', async () => {
    await allow(acme, allowing('read'));
    const clientId = publish();
    expect(await refusalOf(clientId)).toBeNull();
    const redirectUri = `${site.origin}/pushed`;
    site.publish(clientId.slice(site.origin.length), { redirect_uris: [redirectUri] });
    const party = await partyOf(clientId, redirectUri);
    const push = (to = redirectUri) =>
      party.post(
        '/oauth2/par',
        {
          client_id: clientId,
          redirect_uri: to,
          response_type: 'code',
          resource: SHOP,
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
          code_challenge_method: 'S256',
        },
        null,
      );
    const age = () =>
      app.sql(
        "UPDATE satellites SET document_fetched_at = now() - interval '2 minutes' WHERE client_id = $1",
        [clientId],
      );
    expect(await push()).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    await age();
    await eventually('the document is fetched again', async () => (await push()).status === 201);
    // A document that is not used any more refuses the client.
    site.publish(clientId.slice(site.origin.length), { client_id: 'https://other.example/' });
    await age();
    await eventually('the refusal', async () => {
      const { status, body } = await push(`${site.origin}/other`);
      return status === 401 && body['error'] === 'invalid_client';
    });
  });

  it('are fetched a few times a minute for one network, wherever their id is named', async () => {
    const limited = await TestApp.start({
      CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
      RATE_DOCUMENTS: '3',
      TRUSTED_PROXIES: '127.0.0.1',
    });
    try {
      const admin = await signUpOperator(limited);
      const shopOf = { identifier: SHOP, name: 'Shop' };
      const api = await limited.call('POST', '/api/v1/iam/apis', shopOf, { token: admin.token });
      const theirs = await Organization.found(limited);
      await theirs.call('PUT', '/agent-policy', { clients: 'any', scopes: [`${String(api.body['id'])}/`] });
      const known = publish();
      const open = async (clientId: string, address: string) => {
        const query = new URLSearchParams({ client_id: clientId, redirect_uri: `${clientId}/callback` });
        const response = await fetch(`${limited.url}/oauth2/authorize?${query}`, {
          redirect: 'manual',
          headers: { 'x-forwarded-for': address },
        });
        return response.status;
      };
      const redeem = async (clientId: string, address: string) => {
        const response = await fetch(`${limited.url}/oauth2/token`, {
          method: 'POST',
          body: new URLSearchParams({ client_id: clientId, grant_type: 'refresh_token', refresh_token: 'x' }),
          headers: { 'x-forwarded-for': address },
        });
        return { status: response.status, wait: Number(response.headers.get('retry-after')) };
      };
      const statuses = [];
      for (const clientId of [known, publish(), publish(), publish()])
        statuses.push(await open(clientId, '198.51.100.1'));
      expect(statuses).toEqual([303, 303, 303, 429]);
      expect(await redeem(publish(), '198.51.100.1')).toEqual({ status: 429, wait: expect.any(Number) });
      expect((await redeem(publish(), '198.51.100.1')).wait).toBeGreaterThan(0);
      // Neither clients whose document is known, nor other networks.
      expect(await open(known, '198.51.100.1')).toBe(303);
      expect((await redeem(known, '198.51.100.1')).status).toBe(400);
      expect(await open(publish(), '198.51.100.2')).toBe(303);
    } finally {
      await limited.stop();
    }
  });

  it('are not fetched where nothing of them is needed that could be new', async () => {
    await allow(acme, allowing('read'));
    const clientId = publish();
    const query = new URLSearchParams({ client_id: clientId, post_logout_redirect_uri: `${clientId}/bye` });
    await fetch(`${app.url}/oauth2/logout?${query}`, { redirect: 'manual' });
    const code = { clientId, redirectUri: `${clientId}/callback`, codeChallenge: 'x'.repeat(43) };
    await app.post('satellite/code', code, { token: acme.owner.token });
    const secret = Buffer.from(`${encodeURIComponent(clientId)}:secret`).toString('base64');
    await fetch(`${app.url}/oauth2/introspect`, {
      method: 'POST',
      body: new URLSearchParams({ token: 'x' }),
      headers: { authorization: `Basic ${secret}` },
    });
    expect(site.requests).not.toContain(clientId.slice(site.origin.length));
  });

  it('whose document changes between authorization and token get none by the old one', async () => {
    await allow(acme, allowing('read'));
    const age = (clientId: string) =>
      app.sql('UPDATE satellites SET document_expires_at = now() WHERE client_id = $1', [clientId]);
    const codeOf = async (clientId: string) => {
      const party = await partyOf(clientId);
      const request = await party.request({ resource: SHOP, scope: 'read' });
      const approved = await party.approve(request.id, acme.owner.token);
      const code = new URL(String(approved.body['redirectTo'])).searchParams.get('code') ?? '';
      return {
        party,
        form: {
          grant_type: 'authorization_code',
          code,
          redirect_uri: party.redirectUri,
          code_verifier: request.verifier,
        },
      };
    };
    const changed: [object, string][] = [
      [{ redirect_uris: [`${site.origin}/moved`] }, 'invalid_grant'],
      [{ client_id: 'https://shop.example/agent' }, 'invalid_client'],
      [{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: `${site.origin}/jwks` }, 'invalid_client'],
    ];
    for (const [document, error] of changed) {
      const clientId = publish();
      const { party, form } = await codeOf(clientId);
      site.publish(clientId.slice(site.origin.length), document);
      const before = site.requests.length;
      await age(clientId);
      await eventually(
        'the document is fetched again',
        async () => {
          await post(party, { ...form, code: 'x' });
          return site.requests.length > before;
        },
        6_000,
      );
      expect((await post(party, form)).body['error']).toBe(error);
    }
  });

  it('authenticate by keys of their jwks_uri', async () => {
    await allow(acme, allowing('read'));
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'a', alg: 'ES256' }] };
    const jwksUri = site.answer('/jwks', (_, response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(jwks)),
    );
    const several = { token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] };
    const clientId = publish({ ...several, token_endpoint_auth_method: undefined, jwks_uri: jwksUri });
    const key = await importJWK(privateKey.export({ format: 'jwk' }), 'ES256');
    const assertion = () =>
      new SignJWT({ jti: ulid() })
        .setProtectedHeader({ alg: 'ES256', kid: 'a' })
        .setIssuer(clientId)
        .setSubject(clientId)
        .setAudience('http://gatehouse.test')
        .setIssuedAt()
        .setExpirationTime('1m')
        .sign(key);
    const proven = { client_assertion_type: ASSERTION_TYPE, client_assertion: await assertion() };
    expect((await connect(clientId, acme.owner, {}, proven)).body).toMatchObject({ scope: 'read' });
    expect((await connect(clientId, acme.owner)).body['error']).toBe('invalid_client');
    expect((await connect(clientId, acme.owner, {}, proven)).body['error']).toBe('invalid_client');
    // Its choice counts before what else it supports; without both, it has no credentials.
    const open = publish({ ...several, jwks_uri: jwksUri });
    expect((await connect(open, acme.owner)).body).toMatchObject({ scope: 'read' });
    const plain = publish({ token_endpoint_auth_method: undefined });
    expect((await connect(plain, acme.owner)).body).toMatchObject({ scope: 'read' });
  });

  it('get no token of an organization whose policy refuses the sign-in when the code is exchanged', async () => {
    const initech = await Organization.found(app);
    const { body: api } = await initech.call('POST', '/apis', {
      identifier: 'https://initech.example/api',
      name: 'Initech',
      scopes: SCOPES,
    });
    await allow(initech, { clients: 'any', scopes: [`${String(api['id'])}/read`] });
    const request = { resource: 'https://initech.example/api', scope: 'read' };
    const clientId = publish();
    expect((await connect(clientId, initech.owner, request)).status).toBe(200);
    const party = await partyOf(clientId);
    const { id, verifier } = await party.request(request);
    const { body } = await party.approve(id, initech.owner.token);
    await setSignInPolicy(initech, { secondFactor: 'required' });
    await eventually('the policy is known', async () => {
      const other = await connect(clientId, initech.owner, request);
      return other.status !== 200;
    });
    const code = new URL(String(body['redirectTo'])).searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', code, redirect_uri: party.redirectUri };
    expect(await post(party, { ...form, code_verifier: verifier })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  it('end with the policy, the reach, the consent, the session and the membership, within a second', async () => {
    await allow(acme, allowing('read', 'write'));
    const clientId = publish();
    const { party, body: first } = await connect(clientId, acme.owner);
    await allow(acme, allowing('write'));
    await eventually(
      'the scope is gone',
      async () => {
        return (await introspect(first['access_token']))['scope'] === 'write';
      },
      1_000,
    );
    // An agent asks the person again after invalid_grant, and gives up after another error.
    await allow(acme, { clients: 'any', scopes: [] });
    await inactive(first['access_token']);
    const form = { grant_type: 'refresh_token', refresh_token: String(first['refresh_token']) };
    for (const asked of [form, { ...form, resource: SHOP }])
      expect((await post(party, asked)).body['error']).toBe('invalid_grant');
    await allow(acme, allowing('read', 'write'));
    const { status, body: renewed } = await refresh(party, first);
    expect(status).toBe(200);
    await allow(acme, { clients: 'listed', listed: ['https://shop.example'], scopes: [`${shop}/write`] });
    await inactive(renewed['access_token']);
    expect((await refresh(party, renewed)).body['error']).toBe('invalid_grant');
    // The policy lets it ask again, and not go on.
    await allow(acme, allowing('read', 'write'));
    expect((await introspect(renewed['access_token']))['active']).toBe(false);

    const { body: second } = await connect(clientId, acme.owner);
    const apps = itemsOf<Record<string, unknown>>(
      await app.get('/api/v1/iam/me/authorized-apps', acme.owner.token),
    );
    const mine = apps.find((one) => one['clientId'] === clientId);
    expect(mine).toMatchObject({ apis: [{ scopes: SCOPES }], lastUsedAt: expect.any(String) });
    const path = `/api/v1/iam/me/authorized-apps/${String(mine?.['id'])}`;
    expect((await app.call('DELETE', path, undefined, { token: acme.owner.token })).status).toBe(204);
    await inactive(second['access_token']);

    const member = await acme.join('member');
    const { party: ofMember, body: third } = await connect(clientId, member);
    expect((await introspect(third['access_token']))['active']).toBe(true);
    // Outside of the organization, the platform would allow it.
    expect((await call('PUT', PLATFORM_POLICY, allowing('read', 'write'))).status).toBe(200);
    expect((await acme.call('DELETE', `/members/${member.person.id}`)).status).toBe(204);
    await inactive(third['access_token']);
    expect((await refresh(ofMember, third)).body['error']).toBe('invalid_grant');
    expect((await call('PUT', PLATFORM_POLICY, { clients: 'off' })).status).toBe(200);
  });

  it('must ask again after the days of the policy', async () => {
    const policies = app.app.get(AgentPolicies, { strict: false });
    await allow(acme, { ...allowing('read'), maxDays: 30 });
    const clientId = publish();
    const api = { id: shop, tenantId: null, scopes: SCOPES };
    const reachAfter = (days: number) =>
      policies.findReach(clientId, api, {
        grantId: ulid(Date.now() - days * 86_400_000),
        tenantId: acme.id as TenantId,
      });
    await eventually(
      'the policy is known',
      async () => (await policies.get(acme.id as TenantId)).maxDays === 30,
    );
    expect(await reachAfter(29.9)).toEqual(new Set(['read']));
    expect(await reachAfter(30.1)).toBeNull();
  });

  it('are listed to the administrator, who ends one everywhere', async () => {
    await allow(acme, allowing('read'));
    const [clientId, other] = [publish(), publish()];
    const member = await acme.join('member');
    const tokens = [
      (await connect(clientId, acme.owner)).body['access_token'],
      (await connect(clientId, member)).body['access_token'],
    ];
    const kept = (await connect(other, acme.owner)).body['access_token'];
    const agents = itemsOf<Record<string, unknown>>(await acme.call('GET', '/agents'));
    const agent = agents.find((one) => one['clientId'] === clientId);
    expect(agent).toMatchObject({
      host: new URL(site.origin).host,
      name: 'Agent',
      people: 2,
      apis: [{ identifier: SHOP }],
      lastUsedAt: expect.any(String),
    });
    const path = `/agents/${String(agent?.['id'])}`;
    expect((await globex.call('DELETE', path)).status).toBe(404);
    expect((await acme.call('DELETE', path)).status).toBe(204);
    for (const token of tokens) await inactive(token);
    expect((await introspect(kept))['active']).toBe(true);
    expect((await acme.call('DELETE', path)).status).toBe(404);
    const member403 = await app.call('GET', `/api/v1/iam/tenants/${acme.id}/agents`, undefined, {
      token: member.token,
    });
    expect(member403.status).toBe(403);
  });

  it('refuse a policy of unknown scopes, addresses in another spelling and other organizations', async () => {
    const { body: own } = await globex.call('POST', '/apis', {
      identifier: 'https://globex.example/api',
      name: 'Globex',
      scopes: SCOPES,
    });
    for (const policy of [
      { clients: 'listed', listed: ['https://Shop.example/agent'] },
      { clients: 'listed', listed: ['https://shop.example/'] },
      { clients: 'any', scopes: [`${shop}/unknown`] },
      { clients: 'any', scopes: [`${String(own['id'])}/read`] },
      { clients: 'any', scopes: ['iam:tenant:read'] },
      { clients: 'some' },
      { clients: 'any', maxDays: 0 },
    ])
      expect([policy, (await acme.call('PUT', '/agent-policy', policy)).status]).toEqual([policy, 400]);
  });

  it('cost one row each, a hundred an hour, and none after thirty days without use', async () => {
    await allow(globex, { clients: 'off' });
    await allow(acme, allowing('read'));
    await app.sql("UPDATE satellites SET created_at = now() - interval '2 hours'");
    const before = await rows();
    const ids = Array.from({ length: 110 }, () => publish());
    const reasons: (string | null)[] = [];
    for (let at = 0; at < ids.length; at += 10)
      reasons.push(...(await Promise.all(ids.slice(at, at + 10).map((id) => refusalOf(id)))));
    expect(reasons.filter((reason) => reason === null)).toHaveLength(100);
    expect(await rows()).toBe(before + 100);
    const refused = ids[reasons.findIndex((reason) => reason !== null)] ?? '';
    expect(await refusalOf(refused)).toMatch(/too many new clients/);
    // One that the organization names is no stranger.
    await allow(acme, { ...allowing('read'), clients: 'listed', listed: [refused] });
    expect(await refusalOf(refused)).toBeNull();
    await app.sql(
      "UPDATE satellites SET document_fetched_at = now() - interval '31 days' WHERE client_id = ANY($1)",
      [ids.filter((id) => id !== refused)],
    );
    await app.app.get(CleanupService, { strict: false }).run();
    expect(await rows()).toBe(before + 1);
  });

  it('hold no connection of the database while their server hangs, and give up after three seconds', async () => {
    await allow(acme, allowing('read'));
    const small = await TestApp.start({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1', DATABASE_POOL_SIZE: '3' });
    let hanging = 0;
    try {
      const theirs = await Organization.found(small);
      const admin = await signUpOperator(small);
      const shopOf = { identifier: SHOP, name: 'Shop' };
      const api = await small.call('POST', '/api/v1/iam/apis', shopOf, { token: admin.token });
      await theirs.call('PUT', '/agent-policy', { clients: 'any', scopes: [`${String(api.body['id'])}/`] });
      const ids = Array.from({ length: 9 }, (_, n) => site.answer(`/hanging-${n}`, () => (hanging += 1)));
      const opened = ids.map((id) =>
        fetch(`${small.url}/oauth2/authorize?${new URLSearchParams({ client_id: id })}`),
      );
      await eventually('the documents are asked for', () => hanging === ids.length);
      expect((await small.get('/api/v1/iam/me', theirs.owner.token)).status).toBe(200);
      for (const response of await Promise.all(opened))
        expect((await response.json()) as object).toMatchObject({
          violations: [{ message: 'the document cannot be read.' }],
        });
    } finally {
      await small.stop();
    }
  });
});
