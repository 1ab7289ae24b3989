import { ClientService } from '../../../src/client/index.js';
import { inTurnBehind } from '../../support/locks.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce, signUpOperator, TestSatellite } from '../../support/satellite.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const SATELLITES = '/api/v1/iam/satellites';

describe('The registry of satellites', () => {
  let operator: Person;
  let counter = 0;
  const app = withApp();
  beforeAll(async () => {
    operator = await signUpOperator(app);
  });

  const data = (changes: object = {}) => ({
    clientId: `property-${(counter += 1)}`,
    name: 'Help centre',
    redirectUris: ['https://help.example.com/callback'],
    ...changes,
  });
  const call = (method: string, path = '', body?: unknown, token = operator.token) =>
    app.call(method, `${SATELLITES}${path}`, body, { token });
  const register = (changes: object = {}) => call('POST', '', data(changes));

  it('registers a client of an organization, which manages it as well', async () => {
    const { id, owner } = await Organization.found(app);
    const { status, body } = await register({ tenantId: id });
    expect([status, body['tenantId']]).toEqual([201, id]);
    const path = `/api/v1/iam/tenants/${id}/clients/${String(body['clientId'])}`;
    expect((await app.get(path, owner.token)).body).toMatchObject({ tenantId: id, name: 'Help centre' });
    for (const tenantId of ['01K3V9D7Q8Z4X5N6M7P8R9S0T1', 'x']) {
      const refused = await register({ tenantId });
      expect([refused.status, refused.body['violations']]).toEqual([
        400,
        [expect.objectContaining({ propertyPath: 'tenantId' })],
      ]);
    }
  });

  it.each<[string, object, object]>([
    ['satellite codes, if it sets nothing of OpenID Connect', {}, { satelliteCodes: true, firstParty: true }],
    [
      'OpenID Connect, if it says so',
      { satelliteCodes: false },
      { firstParty: false, subjectType: 'pairwise' },
    ],
    ['OpenID Connect, if it sets a property of it', { firstParty: true }, { subjectType: 'public' }],
    ['OpenID Connect, if it names a default of it', { requirePar: false }, { firstParty: false }],
    ['satellite codes, if it says so', { satelliteCodes: true, firstParty: true }, { subjectType: 'public' }],
  ])('registers a client for %s', async (_, changes, expected) => {
    const { status, body } = await register(changes);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      satelliteCodes: Object.keys(changes).length === 0,
      ...changes,
      ...expected,
    });
  });

  it.each<[string, object]>([
    ['firstParty', { firstParty: false, subjectType: 'public' }],
    ['subjectType', { subjectType: 'pairwise' }],
    ['type', { type: 'public' }],
    [
      'tokenEndpointAuthMethod',
      { tokenEndpointAuthMethod: 'private_key_jwt', jwksUri: 'https://a.example/' },
    ],
    ['requirePar', { requirePar: true }],
    ['requireDpop', { requireDpop: true }],
    ['grantTypes', { grantTypes: ['authorization_code'] }],
    ['grantTypes', { grantTypes: ['refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] }],
    [
      'grantTypes',
      { grantTypes: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'] },
    ],
  ])('refuses satellite codes to a client with another %s', async (propertyPath, changes) => {
    const refused = {
      status: 400,
      body: { violations: expect.arrayContaining([expect.objectContaining({ propertyPath })]) },
    };
    expect(await register({ satelliteCodes: true, ...changes })).toMatchObject(refused);
    const { body } = await register();
    const path = `/${String(body['clientId'])}`;
    const { type, ...later } = changes as { type?: string };
    if (type === undefined) {
      expect(await call('PATCH', path, later)).toMatchObject(refused);
      expect((await call('PATCH', path, { ...later, satelliteCodes: false })).status).toBe(200);
      expect(await call('PATCH', path, { satelliteCodes: true })).toMatchObject(refused);
    }
  });

  it('refuses satellite codes to a client of an organization', async () => {
    const { id } = await Organization.found(app);
    expect(await register({ tenantId: id, satelliteCodes: true, firstParty: true })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'tenantId' }] },
    });
  });

  it('is kept by operators: registered, read, listed, changed', async () => {
    const { status, body, headers } = await register();
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    const { clientSecret, ...satellite } = body;
    expect(clientSecret).toMatch(/^ghs_[\w-]{43}$/);
    expect(satellite).toEqual({
      id: expect.any(String),
      clientId: expect.any(String),
      tenantId: null,
      name: 'Help centre',
      redirectUris: ['https://help.example.com/callback'],
      scopes: [],
      satelliteCodes: true,
      protocol: 'openid',
      type: 'confidential',
      firstParty: true,
      grantTypes: ['authorization_code', 'refresh_token'],
      tokenEndpointAuthMethod: 'client_secret',
      subjectType: 'public',
      jwks: null,
      jwksUri: null,
      postLogoutRedirectUris: [],
      backchannelLogoutUri: null,
      requirePar: false,
      requirePkce: true,
      security: 'standard',
      idTokenClaims: 'scopes',
      memberConsent: false,
      assertionAudiences: [],
      requireDpop: false,
      idTokenAlg: 'RS256',
      accessTokenAlg: 'ES256',
      logoUri: null,
      logoUrl: null,
      logoutReach: 'next-refresh',
      status: 'active',
      createdAt: expect.any(String),
    });
    const path = `/${String(satellite['clientId'])}`;
    expect((await call('GET', path)).body).toEqual(satellite);
    const other = `/${String((await register()).body['clientId'])}`;
    expect(itemsOf(await call('GET'))).toContainEqual(satellite);
    const redirectUris = ['https://help.example.com/callback', 'http://localhost:4000/callback'];
    expect((await call('PATCH', path, { name: 'Help', redirectUris })).body).toEqual({
      ...satellite,
      name: 'Help',
      redirectUris,
    });
    expect((await call('GET', other)).body).toMatchObject({ name: 'Help centre' });
    expect(await call('PATCH', other, {})).toMatchObject({ status: 200, body: { name: 'Help centre' } });
    expect((await call('GET', '/unknown')).status).toBe(404);
  });

  it('compares a change with what another one has left that was not committed yet', async () => {
    const { body } = await register({ satelliteCodes: false });
    const clientId = String(body['clientId']);
    // As the command line does: over HTTP, the policy has locked the client before.
    const change = () =>
      app.app
        .get(ClientService, { strict: false })
        .update(null, clientId, { requirePar: true })
        .catch((error: unknown) => error);
    const [refused] = await inTurnBehind(
      app,
      [
        "UPDATE satellites SET satellite_codes = true, first_party = true, subject_type = 'public' WHERE client_id = $1",
        clientId,
      ],
      change,
    );
    expect(refused).toMatchObject({ violations: [{ propertyPath: 'requirePar' }] });
  });

  it('is forbidden to anyone but operators, owners of organizations included', async () => {
    const { owner } = await Organization.found(app);
    for (const token of [owner.token, owner.person.token]) {
      expect(await call('GET', '', undefined, token)).toMatchObject({
        status: 403,
        body: { code: 'scope_not_held' },
      });
      expect((await call('POST', '', data(), token)).body).toMatchObject({ code: 'scope_not_held' });
    }
    const role = { key: 'sly', name: 'Sly', scopes: ['iam:satellite:create'] };
    const path = `/api/v1/iam/tenants/${String((await app.get('/api/v1/iam/me/tenants', owner.token)).body['items']?.[0]?.['id'])}`;
    expect((await app.call('POST', `${path}/roles`, role, { token: owner.token })).status).toBe(400);
  });

  it('is closed to the satellites that an operator visits', async () => {
    const property = await TestSatellite.register(app);
    const { accessToken } = await property.signIn(operator.token);
    const refused = { status: 403, body: { code: 'scope_not_held' } };
    expect(await call('GET', '', undefined, accessToken)).toMatchObject(refused);
    expect(await call('POST', '', data(), accessToken)).toMatchObject(refused);
    expect(await call('POST', `/${property.clientId}/rotate-secret`, undefined, accessToken)).toMatchObject(
      refused,
    );
    const asked = { scopes: ['iam:satellite:create'] };
    expect((await app.call('POST', '/api/auth/can', asked, { token: accessToken })).body).toMatchObject({
      'iam:satellite:create': { allowed: false, code: 'scope_not_held' },
    });
  });

  it('takes scopes, each once, and changes them and nothing else', async () => {
    const { body } = await register({ scopes: ['iam:tenant:read', 'iam:member:read', 'iam:tenant:read'] });
    expect(body).toMatchObject({ scopes: ['iam:tenant:read', 'iam:member:read'] });
    const path = `/${String(body['clientId'])}`;
    expect((await call('PATCH', path, { name: 'Help' })).body).toMatchObject({ scopes: body['scopes'] });
    expect((await call('PATCH', path, { scopes: ['*', '*'] })).body).toMatchObject({
      name: 'Help',
      redirectUris: body['redirectUris'],
      scopes: ['*'],
    });
    expect((await call('PATCH', path, { scopes: [] })).body).toMatchObject({ scopes: [] });
    expect((await call('PATCH', path, { scopes: ['iam:satellite:read'] })).status).toBe(400);
    expect((await call('GET', path)).body).toMatchObject({ scopes: [] });
  });

  it('describes a client of OpenID Connect, and how a logout reaches it', async () => {
    const described = {
      firstParty: true,
      grantTypes: ['authorization_code'],
      tokenEndpointAuthMethod: 'client_secret_post',
      postLogoutRedirectUris: ['https://help.example.com/'],
      requirePar: true,
      requireDpop: true,
      idTokenAlg: 'ES256',
      logoUri: 'https://help.example.com/logo.svg',
    };
    const { body } = await register(described);
    expect(body).toMatchObject({ ...described, backchannelLogoutUri: null, logoutReach: 'own-session' });
    const path = `/${String(body['clientId'])}`;
    const backchannelLogoutUri = 'https://help.example.com/backchannel-logout';
    expect((await call('PATCH', path, { backchannelLogoutUri, logoUri: null })).body).toMatchObject({
      ...described,
      logoUri: null,
      backchannelLogoutUri,
      logoutReach: 'immediate',
    });
    expect((await call('PATCH', path, { backchannelLogoutUri: null })).body).toMatchObject({
      backchannelLogoutUri: null,
      logoutReach: 'own-session',
    });
  });

  it('gives a public client no secret, to be rotated neither, and no method but none', async () => {
    const { body } = await register({ type: 'public' });
    expect(body).toMatchObject({ type: 'public', tokenEndpointAuthMethod: 'none' });
    expect(body).not.toHaveProperty('clientSecret');
    const path = `/${String(body['clientId'])}`;
    expect(await call('POST', `${path}/rotate-secret`)).toMatchObject({
      status: 403,
      body: { code: 'state_forbids', detail: 'This client has no secret.' },
    });
    const refused = { status: 400, body: { violations: [{ propertyPath: 'tokenEndpointAuthMethod' }] } };
    expect(await call('PATCH', path, { tokenEndpointAuthMethod: 'client_secret_post' })).toMatchObject(
      refused,
    );
    expect((await call('GET', path)).body).toMatchObject({ tokenEndpointAuthMethod: 'none' });
    expect(await register({ type: 'public', tokenEndpointAuthMethod: 'client_secret_basic' })).toMatchObject(
      refused,
    );
    expect(await register({ tokenEndpointAuthMethod: 'none' })).toMatchObject(refused);
  });

  it('keeps the keys of a client that signs, which has no secret, in one place', async () => {
    const key = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    };
    const jwksUri = 'https://help.example.com/jwks.json';
    const signing = { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [key] } };
    const { body } = await register(signing);
    expect(body).toMatchObject({ ...signing, jwksUri: null });
    expect(body).not.toHaveProperty('clientSecret');
    const path = `/${String(body['clientId'])}`;
    expect((await call('POST', `${path}/rotate-secret`)).status).toBe(403);
    expect((await call('PATCH', path, { jwks: null, jwksUri })).body).toMatchObject({ jwks: null, jwksUri });
    const at = (propertyPath: string) => ({ status: 400, body: { violations: [{ propertyPath }] } });
    expect(await call('PATCH', path, { jwksUri: null })).toMatchObject(at('jwks'));
    expect(await register({ ...signing, jwksUri })).toMatchObject(at('jwks'));
    expect(await register({ jwks: signing.jwks })).toMatchObject(at('jwks'));
    expect(await register({ jwksUri })).toMatchObject(at('jwksUri'));
    expect(await register({ ...signing, jwks: { keys: [] } })).toMatchObject(at('jwks.keys'));
    const weak = { keys: [{ ...key, crv: 'Ed25519' }] };
    expect(await register({ ...signing, jwks: weak })).toMatchObject(at('jwks.keys[0]'));
    const secret = { keys: [{ ...key, d: 'jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI' }] };
    expect((await register({ ...signing, jwks: secret })).status).toBe(400);
    expect(await register({ type: 'public', jwks: signing.jwks })).toMatchObject({ status: 400 });
  });

  it.each([
    ['postLogoutRedirectUris[0]', ['https://help.example.com/#top']],
    ['backchannelLogoutUri', 'http://help.example.com/logout'],
    ['logoUri', 'https://help.example.com/../logo.svg'],
    ['grantTypes[0]', ['password']],
    ['idTokenAlg', 'none'],
    ['accessTokenAlg', 'PS256'],
  ])('refuses an unsafe %s', async (propertyPath, value) => {
    const [name = ''] = propertyPath.split('[');
    expect(await register({ [name]: value })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath }] },
    });
  });

  it('keeps a client id for one satellite, and its own name for none', async () => {
    const clientId = `taken-${(counter += 1)}`;
    await register({ clientId });
    expect(await register({ clientId })).toMatchObject({ status: 409 });
    expect((await register({ clientId: 'gatehouse' })).body).toMatchObject({
      violations: [{ propertyPath: 'clientId' }],
    });
  });

  it.each([
    ['clientId', 'A'],
    ['clientId', 'ab'],
    ['clientId', 'with space'],
    ['clientId', 'Upper-case'],
    ['clientId', 'ends-with-'],
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['redirectUris', []],
    ['redirectUris', 'https://help.example.com/callback'],
    ['redirectUris[1]', ['https://help.example.com/callback', 7]],
    ['scopes', '*'],
    ['scopes', null],
    ['scopes', Array.from({ length: 201 }, () => 'iam:member:read')],
    ['scopes[1]', ['iam:member:read', 7]],
    ['scopes[0]', ['iam:member']],
    ['scopes[0]', ['iam:*:*']],
    ['scopes[1]', ['iam:member:read', 'iam:member:explode']],
    ['scopes[1]', ['iam:member:read', '*']],
    ['scopes[0]', ['iam:satellite:create']],
    ['scopes[0]', ['iam:session:end']],
    ['scopes[0]', ['iam:identity:unlink']],
  ])('refuses the %s %j', async (propertyPath, value) => {
    const field = propertyPath.replace(/\[\d\]$/, '');
    expect((await register({ [field]: value })).body).toMatchObject({ violations: [{ propertyPath }] });
  });

  it.each([
    'http://help.example.com/callback',
    'ftp://help.example.com/callback',
    'javascript:alert(1)',
    '//help.example.com/callback',
    'https:help.example.com/callback',
    'https:///help.example.com/callback',
    'https://user@help.example.com/callback',
    'https://user:password@help.example.com/callback',
    'https://a@b@help.example.com/callback',
    'https://help.example.com/callback#fragment',
    'https://help.example.com/callback#',
    'https://*.example.com/callback',
    'https://help.example.com/*',
    'https://help.example.com/callback?a=*',
    'https://help.example.com/a/../callback',
    'https://help.example.com/..',
    'https://help.example.com/./callback',
    'https://help.example.com/..;/callback',
    'https://help.example.com/a;/../callback',
    'https://help.example.com/%2e%2e/callback',
    'https://help.example.com/%2E/callback',
    'https://help.example.com/a%2fcallback',
    'https://help.example.com/a%5Ccallback',
    'https://help.example.com/a%252fcallback',
    'https://help.example.com\\callback',
    'https://help.example.com\\@evil.example/callback',
    'https://help.example.com//callback',
    'https://help.example.com/call back',
    'https://help.example.com/callback\t',
    'https://help.example.com/call\u0000back',
    ' https://help.example.com/callback',
    'https://HELP.example.com/callback',
    'HTTPS://help.example.com/callback',
    'https://help.example.com./callback',
    'https://help.ex\u00e4mple.com/callback',
    'https://help.example.com\u3002evil.example/callback',
    'https://help\u2024example.com/callback',
    'https://203.0.113.7/callback',
    'https://[2001:db8::1]/callback',
    'https://2130706433/callback',
    'https://0x7f000001/callback',
    'https://help/callback',
    'https://help.example.com:443/callback',
    'https://help.example.com:0443/callback',
    'https://help.example.com:99999/callback',
    'https://-help.example.com/callback',
    'https://help.example.123/callback',
    'http://localhost.evil.example/callback',
    'http://127.0.0.2/callback',
    'http://127.1/callback',
    'http://localhost:80/callback',
    `https://help.example.com/${'a'.repeat(500)}`,
    '',
  ])('refuses the redirect URI %j', async (uri) => {
    const answer = await register({ redirectUris: [uri] });
    expect({ status: answer.status, body: answer.body }).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'redirectUris[0]' }] },
    });
  });

  it.each([
    'https://help.example.com',
    'https://help.example.com/',
    'https://help.example.com/callback?from=app&x=1',
    'https://xn--bcher-kva.example/callback',
    'https://help.example.com:8443/call_back-1~/done',
    'http://localhost:4000/callback',
    'http://127.0.0.1:4000/callback',
    'http://[::1]:4000/callback',
    'https://localhost/callback',
  ])('takes the redirect URI %s', async (uri) => {
    expect((await register({ redirectUris: [uri] })).status).toBe(201);
  });

  it('shows a secret once, stores its hash, and takes two of them while they are exchanged', async () => {
    const satellite = await TestSatellite.register(app);
    const rows = await app.sql('SELECT * FROM satellites');
    expect(JSON.stringify(rows)).not.toContain(satellite.clientSecret);
    const rotated = await call('POST', `/${satellite.clientId}/rotate-secret`);
    expect(rotated).toMatchObject({ status: 200, body: { clientId: satellite.clientId } });
    const fresh = rotated.body['clientSecret'];
    const visitor = await Person.signUp(app);
    const tries = async (clientSecret: unknown) => {
      const { codeVerifier, codeChallenge } = pkce();
      const { body } = await satellite.issue(visitor.token, codeChallenge);
      return (await satellite.exchange(body['code'], codeVerifier, { clientSecret })).status;
    };
    expect([await tries(satellite.clientSecret), await tries(fresh)]).toEqual([200, 200]);
    await app.sql("UPDATE satellites SET previous_secret_until = now() - interval '1 second'");
    expect([await tries(satellite.clientSecret), await tries(fresh)]).toEqual([401, 200]);
  });

  it('disables a satellite: no codes, no exchange, no refresh, and its tokens are refused; and enables it again', async () => {
    const satellite = await TestSatellite.register(app);
    const visitor = await Person.signUp(app);
    const { accessToken, refreshToken } = await satellite.signIn(visitor.token);
    const { codeVerifier, codeChallenge } = pkce();
    const { code } = (await satellite.issue(visitor.token, codeChallenge)).body;
    const disable = () => call('POST', `/${satellite.clientId}/disable`);
    const enable = () => call('POST', `/${satellite.clientId}/enable`);
    const me = async (token: string) => (await app.get('/api/v1/iam/me', token)).status;
    expect((await enable()).body).toMatchObject({
      code: 'state_forbids',
      detail: 'The satellite is not disabled.',
    });
    expect(await me(accessToken)).toBe(200);
    expect((await disable()).body).toMatchObject({ status: 'disabled' });
    expect((await disable()).body).toMatchObject({ detail: 'The satellite is disabled already.' });
    expect((await satellite.issue(visitor.token, codeChallenge)).body).toMatchObject({
      violations: [{ propertyPath: 'clientId' }],
    });
    expect((await satellite.exchange(code, codeVerifier)).status).toBe(401);
    expect(await me(accessToken)).toBe(401);
    expect(await me(visitor.token)).toBe(200);
    expect((await satellite.refresh(refreshToken)).status).toBe(401);
    expect((await enable()).body).toMatchObject({ status: 'active' });
    expect(await me(accessToken)).toBe(200);
    expect((await satellite.refresh(refreshToken)).status).toBe(200);
    expect((await satellite.exchange(code, codeVerifier)).status).toBe(200);
  });

  it('can be asked beforehand, by the id of the satellite', async () => {
    const { id, clientId } = (await register()).body;
    const ask = async (token: string) =>
      (
        await app.call(
          'POST',
          '/api/auth/can',
          {
            subject: `g:///iam/satellites/${String(id)}`,
            scopes: ['iam:satellite:enable', 'iam:satellite:disable'],
          },
          { token },
        )
      ).body;
    expect(await ask(operator.token)).toEqual({
      'iam:satellite:enable': {
        allowed: false,
        code: 'state_forbids',
        reason: 'The satellite is not disabled.',
      },
      'iam:satellite:disable': { allowed: true },
    });
    await call('POST', `/${String(clientId)}/disable`);
    expect(await ask(operator.token)).toMatchObject({ 'iam:satellite:enable': { allowed: true } });
    const stranger = await Person.signUp(app);
    expect(await ask(stranger.token)).toMatchObject({ 'iam:satellite:disable': { code: 'scope_not_held' } });
  });

  it('leaves a trail of what an operator did', async () => {
    const { id } = (await register()).body;
    const [event] = itemsOf(await app.get('/api/v1/iam/me/audit-events', operator.token));
    expect(event).toMatchObject({ action: 'satellite.registered', subject: `iam/satellites/${String(id)}` });
  });

  it('is lost to an operator who erases the account', async () => {
    const other = await signUpOperator(app);
    expect((await call('GET', '', undefined, other.token)).status).toBe(200);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: other.token });
    expect(await app.sql('SELECT 1 FROM operators WHERE account_id = $1', [other.id])).toEqual([]);
  });
});
