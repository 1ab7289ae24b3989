import { decodeJwt } from 'jose';
import { signedInAgo } from '../../support/aged.js';
import { age } from '../../support/ageing.js';
import { byTwoFactors } from '../../support/factors.js';
import { HostedApp } from '../../support/hosted.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { itemsOf, TestApp } from '../../support/test-app.js';

const RETURN_URI = 'https://shop.example/signed-in';
const ME = '/api/v1/iam/me';
const VOID = { status: 400, body: { violations: [{ propertyPath: 'code' }] } };
const INVALID_TOKEN = { status: 401, body: { type: '/errors/invalid-refresh-token' } };

describe('A hosted sign-in', () => {
  let app: TestApp;
  let shop: HostedApp;
  let ada: Person;
  beforeAll(async () => {
    app = await TestApp.start({ RETURN_URIS: RETURN_URI });
    shop = new HostedApp(app, RETURN_URI);
  });
  beforeEach(async () => {
    ada = await Person.signUp(app);
  });
  afterAll(() => app.stop());

  const signedIn = async (token: string) => (await app.get(ME, token)).status === 200;
  const signedInAt = async ({ accessToken, refreshToken }: { accessToken: string; refreshToken: string }) => [
    await signedIn(accessToken),
    (await app.post('refresh', { refreshToken })).status === 200,
  ];

  it('gives the app a grant of its own in the session of the sign-in page', async () => {
    const tokens = await shop.signIn(ada.token);
    expect(tokens).toMatchObject({ tokenType: 'Bearer', sessionId: ada.sessionId, tenantId: null });
    const [mine, its] = [ada.token, tokens.accessToken].map((token) => decodeJwt(token));
    expect(its).toMatchObject({ sub: ada.id, sid: ada.sessionId, client_id: 'gatehouse' });
    expect(its?.['gid']).not.toBe(mine?.['gid']);
    expect(its?.['auth_time']).toBe(mine?.['auth_time']);
    expect((await app.post('refresh', { refreshToken: ada.refreshToken })).status).toBe(200);
    expect(await signedInAt(tokens)).toEqual([true, true]);
  });

  it('returns code and state in the fragment of the address, and nothing is cached', async () => {
    const state = `${'ä &#'.repeat(127)}last`;
    expect([...state]).toHaveLength(512);
    const { status, headers, body } = await shop.issue(ada.token, { state });
    expect([status, headers.get('cache-control'), body['expiresInSeconds']]).toEqual([201, 'no-store', 60]);
    const [address, fragment] = String(body['location']).split('#');
    expect(address).toBe(RETURN_URI);
    expect(Object.fromEntries(new URLSearchParams(fragment))).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state,
    });
    expect(String((await shop.issue(ada.token)).body['location'])).not.toContain('state');
  });

  it('asks for the strength and the age that the app asks for', async () => {
    const { accessToken } = await signedInAgo(app, ada);
    for (const need of [{ acr: 'aal2' }, { maxAge: 600 }])
      expect(await shop.issue(accessToken, need)).toMatchObject({
        status: 401,
        body: { type: '/errors/insufficient-user-authentication', ...need },
      });
    const strong = byTwoFactors(app, accessToken);
    expect((await shop.issue(strong, { acr: 'aal2', maxAge: 600 })).status).toBe(201);
    expect((await shop.issue(strong, { acr: 'phr' })).status).toBe(401);
    expect(await shop.issue(strong, { maxAge: 0 })).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath: 'maxAge' }] },
    });
  });

  it('names the host of the app before the user signs in', async () => {
    expect(await shop.check()).toMatchObject({ status: 200, body: { host: 'shop.example' } });
    expect((await shop.check({ returnTo: `${RETURN_URI}/below` })).status).toBe(200);
  });

  it.each([
    'https://thief.example/signed-in',
    'https://shop.example.thief.example/signed-in',
    'https://shop.example@thief.example/signed-in',
    'https://user@shop.example/signed-in',
    'https://shop.example:8443/signed-in',
    'http://shop.example/signed-in',
    'https://shop.example/signed-in-below',
    'https://shop.example/',
    'https://shop.example/signed-in/../other',
    'https://shop.example/signed-in/%2e%2e/other',
    'https://shop.example\\signed-in',
    'https://shop.example/signed-in#fragment',
    'https://SHOP.example/signed-in',
    '//shop.example/signed-in',
    '/signed-in',
    'javascript:alert(1)',
  ])('refuses to return to %s, at the look-up and for a code', async (returnTo) => {
    const refused = { status: 400, body: { violations: [{ propertyPath: 'returnTo' }] } };
    expect(await shop.check({ returnTo })).toMatchObject(refused);
    expect(await shop.issue(ada.token, { returnTo })).toMatchObject(refused);
  });

  it.each([
    ['a missing address', { returnTo: undefined }, 'returnTo'],
    ['a missing challenge', { codeChallenge: undefined }, 'codeChallenge'],
    ['a short challenge', { codeChallenge: 'A'.repeat(42) }, 'codeChallenge'],
    ['a long challenge', { codeChallenge: 'A'.repeat(44) }, 'codeChallenge'],
    ['a challenge that is no base64url', { codeChallenge: `${'A'.repeat(42)}=` }, 'codeChallenge'],
    ['a long state', { state: 'x'.repeat(513) }, 'state'],
    ['a state with a line end', { state: 'x\ny' }, 'state'],
  ])('refuses %s', async (_what, changes, propertyPath) => {
    const refused = { status: 400, body: { violations: [{ propertyPath }] } };
    expect(await shop.check(changes)).toMatchObject(refused);
    expect(await shop.issue(ada.token, changes)).toMatchObject(refused);
  });

  it('is for signed-in users and for the first-party client only', async () => {
    expect((await shop.issue(undefined)).status).toBe(401);
    const satellite = await TestSatellite.withScopes(app, '*');
    const { accessToken } = await satellite.signIn(ada.token);
    expect(await shop.issue(accessToken)).toMatchObject({
      status: 403,
      body: { type: '/errors/forbidden', detail: expect.stringContaining('not for a satellite') },
    });
  });

  it('keeps the codes of apps and satellites apart', async () => {
    const satellite = await TestSatellite.register(app);
    const { codeVerifier, codeChallenge } = pkce();
    const issued = await satellite.issue(ada.token, codeChallenge);
    expect(await shop.redeem({ code: issued.body['code'], codeVerifier })).toMatchObject(VOID);
    const mine = await shop.code(ada.token);
    expect(await satellite.exchange(mine.code, mine.codeVerifier)).toMatchObject(VOID);
    expect((await satellite.exchange(issued.body['code'], codeVerifier)).status).toBe(200);
    expect((await shop.redeem(mine)).status).toBe(200);
  });

  it('signs no user in with a code that another app instance started (code fixation)', async () => {
    const [planted, own] = [await shop.code(ada.token), await shop.code((await Person.signUp(app)).token)];
    const { code } = planted;
    expect(await shop.redeem({ code, codeVerifier: own.codeVerifier })).toMatchObject(VOID);
    expect(await signedIn(ada.token)).toBe(true);
    expect((await shop.redeem(own)).status).toBe(200);
    expect(await shop.redeem(planted)).toMatchObject(VOID); // burned: an attacker may have it
    expect(await signedIn(ada.token)).toBe(false); // presented twice
  });

  it('ends the session everywhere if its code is presented twice', async () => {
    const mine = await shop.code(ada.token);
    const tokens = (await shop.redeem(mine)).body as unknown as Awaited<ReturnType<HostedApp['signIn']>>;
    expect(await shop.redeem(mine)).toMatchObject(VOID);
    expect(await signedInAt(tokens)).toEqual([false, false]);
    expect(await signedIn(ada.token)).toBe(false);
    const again = await Person.again(ada);
    const actions = itemsOf<{ action: string }>(await app.get(`${ME}/audit-events`, again.token));
    expect(actions.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['session.hosted-code-reused', 'session.continued']),
    );
  });

  it('lets one of many concurrent redemptions succeed', async () => {
    const mine = await shop.code(ada.token);
    const answers = await Promise.all(Array.from({ length: 20 }, () => shop.redeem(mine)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('refuses a code after its minute', async () => {
    const [used, late] = [await shop.code(ada.token), await shop.code(ada.token)];
    await shop.redeem(used);
    await age(app, 'one_time_codes', 61, 'session_id = $1', [ada.sessionId]);
    expect(await shop.redeem(late)).toMatchObject(VOID);
    expect(await shop.redeem(used)).toMatchObject(VOID);
    expect(await signedIn(ada.token)).toBe(true);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['has signed out', () => app.post('logout', undefined, { token: ada.token })],
    ['has signed out everywhere', () => app.post('logout-all', undefined, { token: ada.token })],
    ['is suspended', () => app.command('account:suspend', '--account', ada.id)],
    ['is erased', () => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: ada.token })],
    [
      'has a new password',
      async () => {
        await app.post('request-password-reset', { email: ada.email });
        const token = await app.mailedToken(ada.email, 2);
        await app.post('reset-password', { token, newPassword: 'a-new-harbour-7' });
      },
    ],
  ])('ends for a person who %s between code and redemption', async (_what, change) => {
    const mine = await shop.code(ada.token);
    await change();
    expect(await shop.redeem(mine)).toMatchObject(VOID);
    expect(await shop.issue(ada.token)).toMatchObject({ status: 401 });
  });

  it('ends with a logout at the app, and at the sign-in page', async () => {
    const [here, there] = [await shop.signIn(ada.token), await shop.signIn(ada.token)];
    await app.post('logout', undefined, { token: here.accessToken });
    expect(await signedInAt(there)).toEqual([false, false]);
    expect(await app.post('refresh', { refreshToken: ada.refreshToken })).toMatchObject(INVALID_TOKEN);
    const again = await Person.again(ada);
    const tokens = await shop.signIn(again.token);
    await app.post('logout', undefined, { token: again.token });
    expect(await signedInAt(tokens)).toEqual([false, false]);
  });

  it('keeps the grant of the sign-in page when the app has too many, and ends the oldest', async () => {
    const first = await shop.signIn(ada.token);
    for (let count = 0; count < 20; count += 1) await shop.signIn(ada.token);
    expect(await app.post('refresh', { refreshToken: first.refreshToken })).toMatchObject(INVALID_TOKEN);
    expect((await app.post('refresh', { refreshToken: ada.refreshToken })).status).toBe(200);
  });

  it('does not select an organization for the app', async () => {
    const organization = await Organization.found(app, ada);
    const tokens = await shop.signIn(ada.token);
    const selected = await app.post(
      'select-tenant',
      { tenantId: organization.id },
      { token: tokens.accessToken },
    );
    expect(selected.body['tenantId']).toBe(organization.id);
  });

  it('stores codes as hashes', async () => {
    const { code } = await shop.code(ada.token);
    expect(JSON.stringify(await app.sql('SELECT * FROM one_time_codes'))).not.toContain(code);
  });
});

describe('Rate limits of a hosted sign-in', () => {
  it('bound look-ups, codes and redemptions', async () => {
    const app = await TestApp.start({ RETURN_URIS: RETURN_URI, RATE_WRITE: '8', RATE_READ: '4' }, true);
    const shop = new HostedApp(app, RETURN_URI);
    const ada = await Person.signUp(app); // register, verify, login
    const issued = [];
    for (let count = 0; count < 9; count += 1) issued.push((await shop.issue(ada.token)).status);
    expect(issued.at(0)).toBe(201);
    expect(issued.at(-1)).toBe(429);
    const wrong = { code: 'none', codeVerifier: pkce().codeVerifier };
    const redeemed = [];
    for (let count = 0; count < 9; count += 1) redeemed.push((await shop.redeem(wrong)).status);
    expect(redeemed.at(0)).toBe(400);
    expect(redeemed.at(-1)).toBe(429);
    const checked = [];
    for (let count = 0; count < 5; count += 1) checked.push((await shop.check()).status);
    expect(checked).toEqual([200, 200, 200, 200, 429]);
    await app.stop();
  });
});

describe('The request of a satellite', () => {
  let app: TestApp;
  let satellite: TestSatellite;
  beforeAll(async () => {
    app = await TestApp.start();
    satellite = await TestSatellite.register(app);
  });
  afterAll(() => app.stop());

  const ask = (query: Record<string, string>) =>
    app.get(`/api/v1/iam/auth/satellite/request?${new URLSearchParams(query)}`);

  it('is answered with name and address to its visitor, signed in or not', async () => {
    const { clientId, redirectUri } = satellite;
    const { status, body } = await ask({ clientId, redirectUri });
    expect([status, body]).toEqual([200, { clientId, name: 'Help centre', logoUrl: null, redirectUri }]);
  });

  it('is refused alike for an unknown client, an unknown address and a disabled satellite', async () => {
    const { clientId, redirectUri } = satellite;
    const disabled = await TestSatellite.register(app);
    await app.sql('UPDATE satellites SET disabled_at = now() WHERE client_id = $1', [disabled.clientId]);
    const answers = await Promise.all([
      ask({ clientId: 'unregistered', redirectUri }),
      ask({ clientId, redirectUri: `${redirectUri}/` }),
      ask({ clientId, redirectUri: disabled.redirectUri }),
      ask({ clientId: disabled.clientId, redirectUri: disabled.redirectUri }),
    ]);
    for (const { status, body } of answers)
      expect([status, body['violations']]).toEqual([400, answers[0]?.body['violations']]);
    expect(answers[0]?.body['violations']).toEqual([
      expect.objectContaining({ propertyPath: 'redirectUri' }),
    ]);
  });
});
