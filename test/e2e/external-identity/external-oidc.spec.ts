import { createHash } from 'node:crypto';
import { generateKeyPair } from 'jose';
import { OidcStandIn, type Twist } from '../../lab/oidc-stand-in.js';
import { ExternalVisitor, signInTraces, withOidc } from '../../support/external.js';
import { TestApp } from '../../support/test-app.js';

const now = () => Math.floor(Date.now() / 1000);
const NOW = now();
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const hashOf = (text: string) => sha256(text).subarray(0, 16).toString('base64url');
const secretBytes = (text: string) => new TextEncoder().encode(text);

describe('Sign-in by OpenID Connect', () => {
  const { lab, app, visitor } = withOidc({ EXTERNAL_OIDC_DOMAINS: 'example.com' });

  const land = async (changes: Record<string, string | null> = {}) => {
    const { body } = await visitor.start();
    return visitor.open(lab.visit(String(body['authorizationUrl']), changes));
  };
  const expectRefused = async (error: string, changes: Record<string, string | null> = {}) => {
    const before = await signInTraces(app);
    const { status, fragment } = await land(changes);
    expect({ status, ...fragment }).toMatchObject({ status: 303, error });
    expect(Object.keys(fragment).toSorted()).toEqual(['error', 'error_description', 'state']);
    expect(await signInTraces(app)).toEqual(before);
  };

  it('signs a newcomer in, with tokens in the fragment, and the same person again', async () => {
    const started = await visitor.start();
    const landing = await visitor.open(lab.visit(String(started.body['authorizationUrl'])));
    expect(landing).toMatchObject({
      status: 303,
      returnUri: 'http://gatehouse.test',
      fragment: {
        token_type: 'Bearer',
        expires_in: '600',
        state: started.body['state'],
        session_id: expect.any(String),
        refresh_token: expect.any(String),
      },
    });
    const me = await app.get('/api/v1/iam/me', landing.fragment['access_token']);
    expect(me.body).toMatchObject({ email: 'ada@example.com', emailVerified: true });
    const again = await app.get('/api/v1/iam/me', (await land()).fragment['access_token']);
    expect(again.body['id']).toBe(me.body['id']);
  });

  const claims = (changes: Record<string, unknown>): Twist => ({ claims: changes });
  const withHeader = (header: object) => (token: string) =>
    [Buffer.from(JSON.stringify(header)).toString('base64url'), ...token.split('.').slice(1)].join('.');
  const unsigned = (alg: string) => (token: string) =>
    `${withHeader({ alg })(token).split('.').slice(0, 2).join('.')}.`;
  const withPayload = (changes: object) => (token: string) => {
    const [header, payload = '', tag] = token.split('.');
    const fields = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    return [header, Buffer.from(JSON.stringify({ ...fields, ...changes })).toString('base64url'), tag].join(
      '.',
    );
  };

  it.each<[string, Twist]>([
    ['another nonce', claims({ nonce: 'another' })],
    ['no nonce', claims({ nonce: undefined })],
    ['the hash of another access token', claims({ at_hash: hashOf('another') })],
    ['a whole hash for half of one', claims({ at_hash: sha256('opaque').toString('base64url') })],
    ['an empty hash of the access token', claims({ at_hash: '' })],
    ['a hash that is a number', claims({ at_hash: 7 })],
    ['a nonce that is a number', claims({ nonce: 7 })],
    ['another audience', claims({ aud: 'another-client' })],
    ['no audience', claims({ aud: undefined })],
    ['an empty audience', claims({ aud: [] })],
    ['two audiences and another azp', claims({ aud: ['gatehouse', 'other'], azp: 'other' })],
    ['two audiences and no azp', claims({ aud: ['gatehouse', 'other'] })],
    ['another azp', claims({ azp: 'other' })],
    ['two audiences, though it was made for us', claims({ aud: ['gatehouse', 'other'], azp: 'gatehouse' })],
    ['a subject with a NUL', claims({ sub: 'a\u0000b' })],
    ['another issuer', claims({ iss: 'https://evil.example' })],
    ['an issuer with a slash', claims({ iss: 'http://127.0.0.1/' })],
    ['no issuer', claims({ iss: undefined })],
    ['no subject', claims({ sub: undefined })],
    ['an empty subject', claims({ sub: '' })],
    ['a subject that is a number', claims({ sub: 7 })],
    ['a subject that is a list', claims({ sub: ['a'] })],
    ['an end in the past', claims({ exp: NOW - 3_600 })],
    ['no end', claims({ exp: undefined })],
    ['an end that is a word', claims({ exp: 'never' })],
    ['no issue', claims({ iat: undefined })],
    ['an old issue', claims({ iat: NOW - 3_600 })],
    ['a beginning to come', claims({ nbf: NOW + 3_600 })],
    ['alg none', { token: unsigned('none') }],
    ['alg None', { token: unsigned('None') }],
    ['alg none with the signature', { token: withHeader({ alg: 'none', kid: 'lab' }) }],
    ['no alg', { token: withHeader({ kid: 'lab' }) }],
    ['an alg that was not announced', { token: withHeader({ alg: 'RS256', kid: 'lab' }) }],
    ['HS256 by the client secret', { header: { alg: 'HS256' }, key: secretBytes('a-secret-of-the-lab') }],
    ['HS384 by some key', { header: { alg: 'HS384' }, key: secretBytes('x'.repeat(48)) }],
    ['an unknown kid', { header: { kid: 'unknown' } }],
    ['a changed subject', { token: withPayload({ sub: 'victim' }) }],
    ['a changed address', { token: withPayload({ email: 'victim@example.com', email_verified: true }) }],
    ['no signature', { token: (token) => `${token.split('.').slice(0, 2).join('.')}.` }],
    ['half a signature', { token: (token) => token.slice(0, -40) }],
    ['two parts', { token: (token) => token.split('.').slice(0, 2).join('.') }],
    ['four parts', { token: (token) => `${token}.x` }],
    ['no token at all', { answer: { status: 200, body: { access_token: 'x', token_type: 'Bearer' } } }],
    [
      'a token that is a number',
      { answer: { status: 200, body: { access_token: 'x', token_type: 'Bearer', id_token: 7 } } },
    ],
    [
      'nonsense for a token',
      { answer: { status: 200, body: { access_token: 'x', token_type: 'Bearer', id_token: 'a.b.c' } } },
    ],
    ['no access token', { answer: { status: 200, body: {} } }],
    ['a list', { answer: { status: 200, body: [] } }],
    ['no JSON', { answer: { status: 200, body: '<html>' } }],
    ['invalid_grant', { answer: { status: 400, body: { error: 'invalid_grant' } } }],
    ['invalid_client', { answer: { status: 401, body: { error: 'invalid_client' } } }],
  ])('refuses %s', async (_what, twist) => {
    lab.twist = twist;
    await expectRefused('invalid_response');
  });

  it('takes an ID token that says nothing of the access token', async () => {
    lab.twist = claims({ at_hash: undefined });
    expect((await land()).fragment).toHaveProperty('access_token');
  });

  describe('when the sign-in has to be recent', () => {
    const landing = async (twist: Twist, maxAge?: number) => {
      lab.twist = twist;
      const { body } = await visitor.start(maxAge === undefined ? {} : { maxAge });
      return visitor.open(lab.visit(String(body['authorizationUrl'])));
    };

    it('asks the provider for it, and takes one that is', async () => {
      const { body } = await visitor.start({ maxAge: 600 });
      expect(new URL(String(body['authorizationUrl'])).searchParams.get('max_age')).toBe('600');
      expect((await landing({}, 600)).fragment).toHaveProperty('access_token');
      expect((await landing(claims({ auth_time: now() - 590 }), 600)).fragment).toHaveProperty(
        'access_token',
      );
    });

    it.each<[string, () => unknown]>([
      ['does not say when it was', () => undefined],
      ['says so in words', () => 'just now'],
      ['says so in a text', () => String(now())],
      ['was too long ago', () => now() - 600 - 90],
      ['is yet to come', () => now() + 90],
    ])('refuses one that %s', async (_what, authTime) => {
      const before = await signInTraces(app);
      const { fragment } = await landing(claims({ auth_time: authTime() }), 600);
      expect(fragment).toMatchObject({ error: 'invalid_response' });
      expect(await signInTraces(app)).toEqual(before);
    });

    it('asks for nothing of the kind otherwise', async () => {
      const { body } = await visitor.start();
      expect(new URL(String(body['authorizationUrl'])).searchParams.has('max_age')).toBe(false);
      expect((await landing(claims({ auth_time: 1 }))).fragment).toHaveProperty('access_token');
    });

    it.each([59, 86_401, 600.5, '600', null])('is no age: %p', async (maxAge) => {
      expect((await visitor.start({ maxAge })).body).toMatchObject({
        violations: [{ propertyPath: 'maxAge' }],
      });
    });
  });

  it('refuses a signature by another key of the same name', async () => {
    lab.twist = { key: (await generateKeyPair('ES256')).privateKey };
    await expectRefused('invalid_response');
  });

  it.each<[string, Record<string, string | null>, string]>([
    ['access_denied', { code: null, error: 'access_denied' }, 'access_denied'],
    ['server_error', { code: null, error: 'server_error' }, 'invalid_response'],
    ['an error beside a code', { error: 'login_required' }, 'invalid_response'],
    ['words of an attacker', { code: null, error: 'x', error_description: '<script>' }, 'invalid_response'],
    ['neither code nor error', { code: null }, 'invalid_response'],
    ['an empty code', { code: '' }, 'invalid_response'],
    ['a code of another flow', { code: 'stolen' }, 'invalid_response'],
    ['another issuer (mix-up)', { iss: 'https://evil.example' }, 'invalid_response'],
    ['no issuer, though it is promised (mix-up)', { iss: null }, 'invalid_response'],
    ['an answer in a JWT', { code: null, response: 'a.b.c' }, 'invalid_response'],
  ])('turns %s into a word of ours', async (_what, changes, error) => {
    await expectRefused(error, changes);
  });

  it('refuses a code that was redeemed before', async () => {
    const { body } = await visitor.start();
    const callback = lab.visit(String(body['authorizationUrl']));
    lab.twist = { claims: { nonce: 'x' } };
    expect((await visitor.open(callback)).fragment).toMatchObject({ error: 'invalid_response' });
    lab.twist = {};
    expect((await visitor.open(callback)).fragment).toMatchObject({ error: 'invalid_response' });
  });

  it('reads no answer without end', async () => {
    const { body } = await visitor.start();
    lab.twist = { answer: { status: 200, body: 'x'.repeat(1_500_000) } };
    const { fragment } = await visitor.open(lab.visit(String(body['authorizationUrl'])));
    expect(fragment).toMatchObject({ error: 'invalid_response' });
  });

  it.each<[string, Twist]>([
    ['answers 500', { answer: { status: 500, body: { error: 'server_error' } } }],
    ['answers 503 in HTML', { answer: { status: 503, body: '<html>' } }],
    ['hangs', { delayMs: 7_000 }],
  ])('says that the provider is not available when it %s, within its five seconds', async (what, twist) => {
    const { body } = await visitor.start();
    const callback = lab.visit(String(body['authorizationUrl']));
    lab.twist = twist;
    const began = Date.now();
    const { fragment } = await visitor.open(callback);
    expect({ what, inTime: Date.now() - began < 6_000 }).toEqual({ what, inTime: true });
    expect(fragment).toMatchObject({ error: 'provider_unavailable' });
    expect((await app.call('GET', '/healthz')).status).toBe(200);
  });

  it('asks for the keys of the provider once, and not at every sign-in', async () => {
    const fresh = await OidcStandIn.start();
    const other = await TestApp.start(fresh.settings);
    const its = new ExternalVisitor(other, 'oidc');
    const signIn = async () => {
      const { body } = await its.start();
      return (await its.open(fresh.visit(String(body['authorizationUrl'])))).fragment;
    };
    expect(await signIn()).toHaveProperty('access_token');
    const before = fresh.requests.filter((path) => path === '/jwks').length;
    await signIn();
    expect(fresh.requests.filter((path) => path === '/jwks')).toHaveLength(before);
    await other.stop();
    await fresh.close();
  });
});

describe('A provider that is not as it should be from the start', () => {
  it.each<[string, Twist]>([
    ['lies about its issuer', { metadata: { issuer: 'https://evil.example' } }],
    ['has no endpoints', { metadata: { authorization_endpoint: undefined } }],
  ])('is not used when it %s: 503, and it may recover', async (_what, twist) => {
    const lab = await OidcStandIn.start();
    const app = await TestApp.start(lab.settings);
    const visitor = new ExternalVisitor(app, 'oidc');
    lab.twist = twist;
    expect(await visitor.start()).toMatchObject({ status: 503, body: { type: '/errors/unavailable' } });
    lab.twist = {};
    expect((await visitor.start()).status).toBe(200);
    await app.stop();
    await lab.close();
  });

  it('is used as it was before when it does not say later what it is, and asked again soon', async () => {
    const lab = await OidcStandIn.start();
    const app = await TestApp.start(lab.settings);
    const visitor = new ExternalVisitor(app, 'oidc');
    const asked = () => lab.requests.filter((path) => path.startsWith('/.well-known/')).length;
    const start = async () => ({ status: (await visitor.start()).status, asked: asked() });
    expect(await start()).toEqual({ status: 200, asked: 1 });
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 601_000);
    lab.twist = { metadata: { issuer: 'https://evil.example' } };
    expect(await start()).toEqual({ status: 200, asked: 2 });
    expect(await start()).toEqual({ status: 200, asked: 2 });
    clock.mockImplementation(() => now() + 632_000);
    expect(await start()).toEqual({ status: 200, asked: 3 });
    jest.restoreAllMocks();
    await app.stop();
    await lab.close();
  });

  it('does not stop the service from starting when it is down', async () => {
    const lab = await OidcStandIn.start();
    await lab.close();
    const app = await TestApp.start(lab.settings);
    const started = await new ExternalVisitor(app, 'oidc').start();
    expect(started.status).toBe(503);
    expect(Number(started.headers.get('retry-after'))).toBeGreaterThan(0);
    await app.stop();
  });
});
