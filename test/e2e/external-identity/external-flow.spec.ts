import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { ExternalVisitor, signInTraces, withOidc } from '../../support/external.js';
import { roundsOf } from '../../support/long.js';
import { Person } from '../../support/organization.js';
import { pkce } from '../../support/satellite.js';
import { createDatabase, TestApp } from '../../support/test-app.js';

const ROUNDS = roundsOf({ short: 4, long: 20 });
const APP = 'https://app.example.com';
const ROOT_SECRET = randomBytes(32).toString('base64');

describe('An external sign-in', () => {
  const { lab, app, visitor } = withOidc({
    ROOT_SECRET,
    EXTERNAL_GOOGLE_CLIENT_ID: 'gatehouse',
    EXTERNAL_GOOGLE_CLIENT_SECRET: 'an-unused-secret',
    RETURN_URIS: `${APP}/signed-in,https://shop.example.com`,
  });

  const begin = async (body: object = {}) => {
    const { body: started } = await visitor.start(body);
    return {
      state: String(started['state']),
      callback: (changes = {}) => lab.visit(String(started['authorizationUrl']), changes),
    };
  };

  it('begins with everything that a client needs to know', async () => {
    const answer = await visitor.start();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { id, state, authorizationUrl, ...rest } = answer.body;
    expect(rest).toEqual({
      '@context': '/api/contexts/ExternalSignIn',
      '@id': `/api/iam/auth/external/oidc/flows/${String(id)}`,
      '@type': 'ExternalSignIn',
      kind: 'oidc',
      redirectUri: 'http://gatehouse.test/api/iam/auth/external/oidc/callback',
      returnUri: 'http://gatehouse.test',
      expiresInSeconds: 600,
    });
    const asked = new URL(String(authorizationUrl)).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({
      client_id: 'gatehouse',
      response_type: 'code',
      state,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      redirect_uri: 'http://gatehouse.test/api/iam/auth/external/oidc/callback',
    });
  });

  it('needs no body, and leaves nothing behind by beginning', async () => {
    const before = await signInTraces(app);
    expect((await app.call('POST', '/api/iam/auth/external/oidc/start')).status).toBe(200);
    expect((await visitor.start({ returnUri: null })).status).toBe(200);
    expect(await signInTraces(app)).toEqual(before);
  });

  it('ends well though the root secret is changed while it is under way', async () => {
    const [before, after] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string];
    const DATABASE_URL = await createDatabase();
    const serving = async <T>(secrets: Record<string, string>, use: (by: ExternalVisitor) => Promise<T>) => {
      const replica = await TestApp.start({ ...lab.settings, DATABASE_URL, ...secrets });
      return use(new ExternalVisitor(replica, 'oidc')).finally(() => replica.stop());
    };
    const { body } = await serving({ ROOT_SECRET: before }, (by) => by.start());
    const { fragment } = await serving({ ROOT_SECRET: after, ROOT_SECRET_PREVIOUS: before }, (by) =>
      by.open(lab.visit(String(body['authorizationUrl']))),
    );
    expect(fragment).toMatchObject({ token_type: 'Bearer' });
  });

  it('is 404 for a kind that is not configured, and 400 for one that there is not', async () => {
    for (const kind of ['facebook_oauth', 'apple_oauth', 'saml'])
      expect({ kind, status: (await visitor.start({}, kind)).status }).toEqual({ kind, status: 404 });
    for (const kind of ['github', 'OIDC', 'constructor'])
      expect((await visitor.start({}, kind)).body).toMatchObject({ violations: [{ propertyPath: 'kind' }] });
  });

  it.each([
    `${APP}/signed-in`,
    `${APP}/signed-in/`,
    `${APP}/signed-in/deep?x=1`,
    'https://shop.example.com',
    'https://shop.example.com/anywhere',
  ])('returns to %s', async (returnUri) => {
    const { callback, state } = await begin({ returnUri });
    const landing = await visitor.open(callback());
    expect(landing).toMatchObject({ status: 303, returnUri, fragment: { state } });
    expect(landing.headers.get('cache-control')).toBe('no-store');
    expect(landing.headers.get('referrer-policy')).toBe('no-referrer');
  });

  it.each([
    'https://evil.example/signed-in',
    'https://app.example.com.evil.example/signed-in',
    'https://app.example.com@evil.example/signed-in',
    'https://user@app.example.com/signed-in',
    'https://app.example.com:444/signed-in',
    'http://app.example.com/signed-in',
    'https://APP.example.com/signed-in',
    'https://app.example.com./signed-in',
    'https://app.example.com\u3002evil.example/signed-in',
    'https://app.example.com\uff0eevil.example/signed-in',
    'https://app.example.com\\@evil.example/signed-in',
    'https://app.example.com/signed-in-there',
    'https://app.example.com/signed-inx',
    'https://app.example.com/SIGNED-IN',
    'https://app.example.com/',
    'https://app.example.com/signed-in/../admin',
    'https://app.example.com/signed-in/..;/admin',
    'https://app.example.com/signed-in/%2e%2e/admin',
    'https://app.example.com/signed-in%2f..%2fadmin',
    'https://app.example.com//signed-in',
    'https://app.example.com/signed-in#x',
    'https:app.example.com/signed-in',
    'https:///app.example.com/signed-in',
    '//app.example.com/signed-in',
    '/signed-in',
    'javascript:alert(1)',
    'data:text/html,x',
    ' https://app.example.com/signed-in',
    'https://app.example.com/signed-in ',
    'https://app.example.com/sig\tned-in',
    '',
  ])('never returns to %j', async (returnUri) => {
    expect(await visitor.start({ returnUri })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'returnUri' }] },
    });
  });

  it('is completed by one callback only, also by one of twenty concurrent ones', async () => {
    const { callback } = await begin();
    const landings = await Promise.all(Array.from({ length: 20 }, () => visitor.open(callback())));
    expect(landings.map(({ status }) => status).toSorted()).toEqual([303, ...Array<number>(19).fill(400)]);
  });

  it('is not burned by a bad callback', async () => {
    const { callback } = await begin();
    expect((await visitor.open(callback({ code: 'nonsense' }))).fragment).toMatchObject({
      error: 'invalid_response',
    });
    expect((await visitor.open(callback({ code: null, error: 'access_denied' }))).fragment).toMatchObject({
      error: 'access_denied',
    });
    expect((await visitor.open(callback())).fragment).toHaveProperty('access_token');
  });

  it('shows the provider nothing of who links, and of where the browser goes (sealed state)', async () => {
    const person = await Person.signUp(app);
    const codeChallenge = 'x'.repeat(43);
    const states = [
      String((await visitor.start({ returnUri: `${APP}/signed-in`, codeChallenge })).body['state']),
      String((await visitor.link(person.token)).body['state']),
    ];
    for (const state of states) {
      const bytes = state.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
      for (const told of [person.id, person.sessionId, 'returnUri', 'signed-in', codeChallenge, 'oidc'])
        expect(`${state}${bytes.join()}`).not.toContain(told);
    }
  });

  it('has a state of at most 1,400 characters, whatever the client sends', async () => {
    const returnUri = `${APP}/signed-in/`.padEnd(500, 'x');
    const { body } = await ExternalVisitor.browser(app, 'oidc').start({ returnUri, maxAge: 86_400 });
    expect(String(body['state']).length).toBeLessThanOrEqual(1_400);
  });

  it('never has the same state twice, and signs it by HMAC-SHA256 under a key for that alone', async () => {
    const { state } = await begin();
    const [payload = '', tag = ''] = state.split('.');
    const mac = createHmac('sha256', subkey('external-state')).update(`v2|${payload}`).digest('base64url');
    expect(tag).toBe(mac);
    expect((await begin()).state).not.toBe(state);
  });

  it.each([
    ['no state', () => null],
    ['an empty state', () => ''],
    ['garbage', () => 'nonsense'],
    ['another signature', (state: string) => `${state.slice(0, -3)}AAA`],
    ['no signature', (state: string) => `${state.split('.')[0]}.`],
    ['a signature without payload', (state: string) => `.${state.split('.')[1]}`],
    ['more behind it', (state: string) => `${state}.x`],
    ['a changed payload', (state: string) => `${state.startsWith('A') ? 'B' : 'A'}${state.slice(1)}`],
    ['half a payload', (state: string) => state.replace(/^.{40}/, '')],
    ['a payload of its own', () => forgedState({ returnUri: 'https://evil.example' }, 'a key')],
    ['the key of another purpose', () => forgedState({}, subkey('external-form'))],
  ])('with %s ends in a problem and not in a redirect', async (_what, change) => {
    const { callback, state } = await begin();
    const before = await signInTraces(app);
    const answer = await app.call('GET', pathOf(callback({ state: change(state) })));
    expect(answer).toMatchObject({ status: 400, body: { violations: [{ propertyPath: 'state' }] } });
    expect(answer.headers.get('location')).toBeNull();
    expect(await signInTraces(app)).toEqual(before);
  });

  it.each(['code', 'scope', 'error'])('with a %s twice is no answer', async (name) => {
    const { callback } = await begin();
    const doubled = callback();
    doubled.searchParams.append(name, 'one');
    doubled.searchParams.append(name, 'another');
    expect(await visitor.open(doubled)).toMatchObject({
      status: 303,
      fragment: { error: 'invalid_response' },
    });
  });

  it('with its state twice is refused', async () => {
    const { callback } = await begin();
    const doubled = callback();
    doubled.searchParams.append('state', 'another');
    expect(await app.call('GET', pathOf(doubled))).toMatchObject({ status: 400 });
  });

  it('does not sign in by a HEAD request, such as that of a link scanner', async () => {
    const { callback } = await begin();
    const asked = await app.call('HEAD', pathOf(callback()));
    expect({ status: asked.status, allow: asked.headers.get('allow') }).toEqual({
      status: 405,
      allow: 'GET, POST, OPTIONS',
    });
    expect((await visitor.open(callback())).fragment).toHaveProperty('access_token');
  });

  it('by a POST reads the form alone, and not the address', async () => {
    const { callback } = await begin();
    const path = pathOf(callback());
    expect(await app.call('POST', path)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'state' }] },
    });
    expect((await visitor.open(path)).fragment).toHaveProperty('access_token');
  });

  it('is refused at the callback of another kind', async () => {
    const { callback } = await begin();
    const path = pathOf(callback()).replace('/oidc/', '/google_oauth/');
    expect((await app.call('GET', path)).body).toMatchObject({ violations: [{ propertyPath: 'state' }] });
  });

  it('gives a code in place of tokens to a page that brings a challenge', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const { callback, state } = await begin({ codeChallenge });
    const { fragment } = await visitor.open(callback());
    expect(fragment).toEqual({ code: expect.stringMatching(/^[\w-]{43}$/), state });
    const redeem = (verifier: string) =>
      app.call('POST', '/api/v1/iam/auth/external/token', { code: fragment['code'], codeVerifier: verifier });
    const tokens = await redeem(codeVerifier);
    expect(tokens).toMatchObject({ status: 200, body: { tokenType: 'Bearer', tenantId: null } });
    expect(tokens.headers.get('cache-control')).toBe('no-store');
    const signedIn = async () => (await app.get('/api/v1/iam/me', String(tokens.body['accessToken']))).status;
    expect(await signedIn()).toBe(200);
    expect((await redeem(codeVerifier)).body).toMatchObject({ violations: [{ propertyPath: 'code' }] });
    expect(await signedIn()).toBe(401);
  });

  it('burns such a code by a wrong verifier, and lets it die after a minute', async () => {
    const wrong = await codeOf();
    const redeem = (code: unknown, codeVerifier: string) =>
      app.call('POST', '/api/v1/iam/auth/external/token', { code, codeVerifier });
    expect((await redeem(wrong.code, pkce().codeVerifier)).status).toBe(400);
    expect((await redeem(wrong.code, wrong.codeVerifier)).status).toBe(400);
    const late = await codeOf();
    await app.sql("UPDATE one_time_codes SET expires_at = now() - interval '1 second'");
    expect((await redeem(late.code, late.codeVerifier)).status).toBe(400);
    const raced = await codeOf();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => redeem(raced.code, raced.codeVerifier)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('either gives a session by such a code or has the account erased, and never fails for the two at once', async () => {
    const redeem = ({ code, codeVerifier }: Awaited<ReturnType<typeof codeOf>>) =>
      app.call('POST', '/api/v1/iam/auth/external/token', { code, codeVerifier });
    for (let round = 0; round < ROUNDS; round += 1) {
      lab.person = { sub: `erased-${round}` };
      const token = String((await redeem(await codeOf())).body['accessToken']);
      const code = await codeOf();
      const erase = app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token });
      const [redeemed, erased] = await Promise.all([redeem(code), erase]);
      expect([200, 400]).toContain(redeemed.status);
      expect(erased.status).toBe(204);
      expect((await app.get('/api/v1/iam/me', String(redeemed.body['accessToken']))).status).toBe(401);
    }
  });

  it.each([undefined, 7, 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`])(
    'takes no challenge like %j',
    async (codeChallenge) => {
      const answer = await visitor.start({ codeChallenge });
      if (codeChallenge === undefined) expect(answer.status).toBe(200);
      else expect(answer.body).toMatchObject({ violations: [{ propertyPath: 'codeChallenge' }] });
    },
  );

  async function codeOf() {
    const { codeVerifier, codeChallenge } = pkce();
    const { callback } = await begin({ codeChallenge });
    return { code: (await visitor.open(callback())).fragment['code'], codeVerifier };
  }
});

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`;

/** A subkey of the service, as it derives them. */
function subkey(purpose: string): Buffer {
  const root = Buffer.from(ROOT_SECRET, 'base64');
  return Buffer.from(hkdfSync('sha256', root, 'gatehouse', `gatehouse/v1/${purpose}`, 32));
}

/** A state that this service did not make: signed by another key, and not sealed. */
function forgedState(changes: object, key: string | Buffer): string {
  const fields = { kind: 'oidc', flowId: '', keyId: '', returnUri: 'http://gatehouse.test', ...changes };
  const payload = Buffer.from(JSON.stringify({ expiresAt: 9_999_999_999, ...fields })).toString('base64url');
  return `${payload}.${createHmac('sha256', key).update(`v2|${payload}`).digest('base64url')}`;
}
