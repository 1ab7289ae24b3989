import { decodeJwt } from 'jose';
import { ulid } from 'ulid';
import { signedInAgo } from '../../support/aged.js';
import { signedAs } from '../../support/factors.js';
import { roundsOf } from '../../support/long.js';
import { Organization, Person } from '../../support/organization.js';
import { pkce, TestSatellite } from '../../support/satellite.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const VOID = { status: 400, body: { violations: [{ propertyPath: 'code' }] } };
const INVALID_TOKEN = { status: 401, body: { type: '/errors/invalid-refresh-token' } };
const ME = '/api/v1/iam/me';
const AUTH = '/api/v1/iam/auth';
const PARALLEL_ROUNDS = roundsOf({ short: 5, long: 200 });
const ROUNDS = roundsOf({ short: 10, long: 50 });

describe('Satellite codes', () => {
  let satellite: TestSatellite;
  let ada: Person;
  const app = withApp();
  beforeAll(async () => {
    satellite = await TestSatellite.withScopes(app, 'iam:tenant:read');
  });
  beforeEach(async () => {
    ada = await Person.signUp(app);
  });

  const issued = async (token = ada.token) => {
    const { codeVerifier, codeChallenge } = pkce();
    const { body } = await satellite.issue(token, codeChallenge);
    return { code: String(body['code']), codeVerifier };
  };
  const signedIn = async (token: string) => (await app.get(ME, token)).status === 200;

  it('bring a visitor to the satellite in the same session', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const code = await satellite.issue(ada.token, codeChallenge);
    expect(code).toMatchObject({
      status: 201,
      body: { redirectUri: satellite.redirectUri, expiresInSeconds: 60 },
    });
    expect(code.headers.get('cache-control')).toBe('no-store');
    const tokens = await satellite.exchange(code.body['code'], codeVerifier);
    expect(tokens).toMatchObject({
      status: 200,
      body: {
        tokenType: 'Bearer',
        sessionId: ada.sessionId,
        tenantId: null,
        refreshToken: expect.any(String),
      },
    });
    expect(tokens.headers.get('cache-control')).toBe('no-store');
    const { sub, sid, client_id: clientId } = decodeJwt(String(tokens.body['accessToken']));
    expect({ sub, sid, clientId }).toEqual({
      sub: ada.id,
      sid: ada.sessionId,
      clientId: satellite.clientId,
    });
    const refreshed = await satellite.refresh(tokens.body['refreshToken']);
    expect(decodeJwt(String(refreshed.body['accessToken']))['client_id']).toBe(satellite.clientId);
  });

  it('open nothing at the satellite that keeps, opens or ends the account itself', async () => {
    const { accessToken } = await satellite.signIn(ada.token);
    const { codeChallenge } = pkce();
    const requests: [string, string, object?][] = [
      ['PUT', `${ME}/password`, { currentPassword: ada.password, newPassword: 'another password 7' }],
      ['POST', `${ME}/identities/oidc/link`],
      [
        'POST',
        `${AUTH}/satellite/code`,
        { clientId: satellite.clientId, redirectUri: satellite.redirectUri, codeChallenge },
      ],
      ['DELETE', `${AUTH}/account`],
    ];
    for (const [method, path, body] of requests)
      expect([method, path, await app.call(method, path, body, { token: accessToken })]).toMatchObject([
        method,
        path,
        {
          status: 403,
          body: { type: '/errors/forbidden', detail: expect.stringContaining('not for a satellite') },
        },
      ]);
    expect((await app.login(ada)).sessionId).toEqual(expect.any(String));
  });

  it('let no satellite take an identity from the account, and its probe says so', async () => {
    const { accessToken: token } = await satellite.signIn(ada.token);
    const id = ulid();
    await app.sql(
      "INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject) VALUES ($1, $2, 'oidc', 'env:oidc', 'https://idp.example', $1)",
      [id, ada.id],
    );
    const [scope, subject] = ['iam:identity:unlink', `gatehouse:///iam/identities/${id}`];
    const reason = 'This application does not have this permission. Try it in the main app.';
    expect(
      (await app.call('POST', '/api/auth/can', { scopes: [scope], subject }, { token })).body,
    ).toMatchObject({
      [scope]: { allowed: false, code: 'scope_not_held', reason },
    });
    expect(await app.call('DELETE', `${ME}/identities/${id}`, undefined, { token })).toMatchObject({
      status: 403,
      body: { code: 'scope_not_held', detail: reason },
    });
    expect((await app.call('DELETE', `${ME}/identities/${id}`, undefined, { token: ada.token })).status).toBe(
      204,
    );
  });

  it.each([
    ['one factor, where two are asked for', 'aal2', undefined, 'aal2'],
    ['one factor, where a passkey is asked for', 'phr', 300, 'phr'],
    ['a sign-in of eleven minutes ago', undefined, 600, 'aal1'],
  ])('are refused for %s, and issued once the visitor has confirmed', async (_what, acr, maxAge, needed) => {
    const { accessToken } = await signedInAgo(app, ada);
    const { codeChallenge, codeVerifier } = pkce();
    const refused = await satellite.issue(accessToken, codeChallenge, { acr, maxAge });
    expect(refused).toMatchObject({
      status: 401,
      body: { type: '/errors/insufficient-user-authentication', acr: needed },
    });
    expect(refused.body['maxAge']).toBe(maxAge);
    expect(refused.headers.get('www-authenticate')).toContain('insufficient_user_authentication');
    const now = new Date();
    const strong = signedAs(app, accessToken, { authTime: now, aal2Time: now, phrTime: now });
    const { status, body } = await satellite.issue(strong, codeChallenge, { acr, maxAge });
    expect(status).toBe(201);
    expect((await satellite.exchange(body['code'], codeVerifier)).status).toBe(200);
  });

  it.each([
    { acr: 'aal3' },
    { acr: 'AAL2' },
    { acr: null },
    { maxAge: 9 },
    { maxAge: '300' },
    { maxAge: null },
  ])('are refused where %j is not understood, and never issued without it', async (need) => {
    const { codeChallenge } = pkce();
    const { status, body } = await satellite.issue(ada.token, codeChallenge, need);
    expect([status, body['violations']]).toEqual([
      400,
      [expect.objectContaining({ propertyPath: Object.keys(need)[0] })],
    ]);
  });

  it('leave a sign-in at the property in the trail of their owner', async () => {
    const { code, codeVerifier } = await issued();
    await satellite.exchange(code, codeVerifier);
    const [found] = await app.sql('SELECT id FROM satellites WHERE client_id = $1', [satellite.clientId]);
    const [event] = itemsOf(await app.get(`${ME}/audit-events`, ada.token));
    expect(event).toMatchObject({
      action: 'session.handed-over',
      subject: `iam/satellites/${String(found?.['id'])}`,
      actorId: ada.id,
    });
  });

  it('keep the selected tenant, while the membership lasts', async () => {
    const organization = await Organization.found(app);
    const member = await organization.join('member');
    const { code, codeVerifier } = await issued(member.token);
    const late = await issued(member.token);
    const tokens = await satellite.exchange(code, codeVerifier);
    expect(tokens.body['tenantId']).toBe(organization.id);
    expect((await app.get(organization.path, String(tokens.body['accessToken']))).status).toBe(200);
    await organization.call('DELETE', `/members/${member.person.id}`);
    expect((await app.get(organization.path, String(tokens.body['accessToken']))).status).toBe(401);
    expect((await satellite.exchange(late.code, late.codeVerifier)).body['tenantId']).toBeNull();
  });

  it.each([
    ['unknown client', { clientId: 'unknown' }, 'clientId'],
    ['missing client', { clientId: undefined }, 'clientId'],
    ['another address', { redirectUri: 'https://evil.example/callback' }, 'redirectUri'],
    ['missing address', { redirectUri: undefined }, 'redirectUri'],
    ['missing challenge', { codeChallenge: undefined }, 'codeChallenge'],
    ['short challenge', { codeChallenge: 'A'.repeat(42) }, 'codeChallenge'],
    ['long challenge', { codeChallenge: 'A'.repeat(44) }, 'codeChallenge'],
    ['challenge with other characters', { codeChallenge: `${'A'.repeat(42)}=` }, 'codeChallenge'],
  ])('are not issued for an %s', async (_what, changes, propertyPath) => {
    expect(await satellite.issue(ada.token, pkce().codeChallenge, changes)).toMatchObject({
      status: 400,
      body: { violations: [{ propertyPath }] },
    });
  });

  it('are issued to registered addresses character for character', async () => {
    const { redirectUri } = satellite;
    const others = [
      `${redirectUri}/`,
      `${redirectUri}?a=b`,
      `${redirectUri}#`,
      redirectUri.toUpperCase(),
      redirectUri.replace('https:', 'http:'),
      redirectUri.replace('.example', '.example.'),
      redirectUri.replace('.example', '.example:443'),
      redirectUri.replace('https://', 'https://user@'),
      redirectUri.replace('/callback', '/x/../callback'),
      redirectUri.replace('/callback', '\\callback'),
      redirectUri.replace('/callback', '/%63allback'),
      ` ${redirectUri}`,
    ];
    for (const other of others) {
      const answer = await satellite.issue(ada.token, pkce().codeChallenge, { redirectUri: other });
      expect({ other, status: answer.status }).toEqual({ other, status: 400 });
      expect(answer.body).toMatchObject({ violations: [{ propertyPath: 'redirectUri' }] });
    }
  });

  it('need an access token of a session that is alive', async () => {
    expect((await app.post('satellite/code', {})).status).toBe(401);
    await app.post('logout', undefined, { token: ada.token });
    expect((await satellite.issue(ada.token, pkce().codeChallenge)).status).toBe(401);
  });

  it('are worthless without the secret, and not burned by who lacks it', async () => {
    const { code, codeVerifier } = await issued();
    const refused = { status: 401, body: { type: '/errors/invalid-client' } };
    const [wrong, unknown] = [
      await satellite.exchange(code, codeVerifier, { clientSecret: 'ghs_wrong' }),
      await satellite.exchange(code, codeVerifier, { clientId: 'unknown' }),
    ];
    expect(wrong).toMatchObject(refused);
    expect({ ...wrong.body, instance: '' }).toEqual({ ...unknown.body, instance: '' });
    expect(await satellite.exchange('nonsense', codeVerifier, { clientSecret: 'ghs_wrong' })).toMatchObject(
      refused,
    );
    expect((await satellite.exchange(code, codeVerifier)).status).toBe(200);
  });

  it('are of no use to another satellite, and not burned by it', async () => {
    const other = await TestSatellite.register(app);
    const { code, codeVerifier } = await issued();
    expect(await other.exchange(code, codeVerifier)).toMatchObject(VOID);
    expect((await satellite.exchange(code, codeVerifier)).status).toBe(200);
    expect(await other.exchange(code, codeVerifier)).toMatchObject(VOID);
    expect(await signedIn(ada.token)).toBe(true);
  });

  it('are burned by a wrong verifier', async () => {
    const { code, codeVerifier } = await issued();
    expect(await satellite.exchange(code, pkce().codeVerifier)).toMatchObject(VOID);
    expect(await satellite.exchange(code, codeVerifier)).toMatchObject(VOID);
  });

  it.each([undefined, '', 'A'.repeat(42), 'A'.repeat(129), `${'A'.repeat(42)}+`, `${'A'.repeat(42)} `])(
    'ask for a proper verifier, not %j, and are not burned for want of it',
    async (verifier) => {
      const { code, codeVerifier } = await issued();
      expect((await satellite.exchange(code, codeVerifier, { codeVerifier: verifier })).body).toMatchObject({
        violations: [{ propertyPath: 'codeVerifier' }],
      });
      expect((await satellite.exchange(code, codeVerifier)).status).toBe(200);
    },
  );

  it('presented twice end the session everywhere', async () => {
    const { code, codeVerifier } = await issued();
    const tokens = (await satellite.exchange(code, codeVerifier)).body;
    expect(await satellite.exchange(code, codeVerifier)).toMatchObject(VOID);
    expect(await signedIn(ada.token)).toBe(false);
    expect(await signedIn(String(tokens['accessToken']))).toBe(false);
    expect(await satellite.refresh(tokens['refreshToken'])).toMatchObject(INVALID_TOKEN);
    const [row] = await app.sql<{ subject: string }>(
      "SELECT subject FROM audit_events WHERE account_id = $1 AND action = 'session.satellite-code-reused'",
      [ada.id],
    );
    expect(row?.subject).toBe(`iam/sessions/${ada.sessionId}`);
  });

  it('presented again after their minute are only refused', async () => {
    const { code, codeVerifier } = await issued();
    await satellite.exchange(code, codeVerifier);
    const { code: unused, codeVerifier: its } = await issued();
    await app.sql("UPDATE one_time_codes SET expires_at = now() - interval '1 second'");
    expect(await satellite.exchange(code, codeVerifier)).toMatchObject(VOID);
    expect(await satellite.exchange(unused, its)).toMatchObject(VOID);
    expect(await signedIn(ada.token)).toBe(true);
  });

  it('die with the session', async () => {
    const { code, codeVerifier } = await issued();
    await app.post('logout', undefined, { token: ada.token });
    expect(await satellite.exchange(code, codeVerifier)).toMatchObject(VOID);
  });

  it('are stored as hashes', async () => {
    const { code } = await issued();
    const rows = await app.sql('SELECT * FROM one_time_codes');
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(code).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ['at the app', 'logout', () => ada.token],
    ['at the app, from all devices', 'logout-all', () => ada.token],
  ])('one logout %s ends every property', async (_where, logout, token) => {
    const other = await TestSatellite.register(app);
    const visits = [satellite, other].map(async (at) => ({ at, ...(await at.signIn(ada.token)) }));
    const signedInAt = await Promise.all(visits);
    expect((await app.post(logout, undefined, { token: token() })).status).toBe(204);
    for (const { at, accessToken, refreshToken } of signedInAt) {
      expect(await signedIn(accessToken)).toBe(false);
      expect(await at.refresh(refreshToken)).toMatchObject(INVALID_TOKEN);
    }
  });

  it('a logout at a satellite ends the app and the other properties', async () => {
    const [here, there] = [await satellite.signIn(ada.token), await satellite.signIn(ada.token)];
    await app.post('logout', undefined, { token: here.accessToken });
    expect(await signedIn(there.accessToken)).toBe(false);
    expect(await signedIn(ada.token)).toBe(false);
    expect((await app.post('refresh', { refreshToken: ada.refreshToken })).status).toBe(401);
  });

  it('password reset, erasure and an ended session end satellites too', async () => {
    const { accessToken } = await satellite.signIn(ada.token);
    await app.post('request-password-reset', { email: ada.email });
    const token = await app.mailedToken(ada.email, 2);
    await app.post('reset-password', { token, newPassword: 'a-new-harbour-7' });
    expect(await signedIn(accessToken)).toBe(false);
    const eve = await Person.signUp(app);
    const erased = await satellite.signIn(eve.token);
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: eve.token });
    expect(await signedIn(erased.accessToken)).toBe(false);
    expect(await satellite.refresh(erased.refreshToken)).toMatchObject(INVALID_TOKEN);
  });

  it('each property of a session is shown with its last use', async () => {
    await satellite.signIn(ada.token);
    await satellite.signIn(ada.token);
    const [session] = itemsOf<{ properties: unknown[] }>(await app.get(`${ME}/sessions`, ada.token));
    expect(session?.properties).toEqual([
      { clientId: 'gatehouse', lastUsedAt: expect.any(String) },
      { clientId: satellite.clientId, lastUsedAt: expect.any(String) },
    ]);
  });

  it('a visitor has at most twenty grants at one property; the oldest end', async () => {
    const first = await satellite.signIn(ada.token);
    for (let visit = 0; visit < 19; visit += 1) await satellite.signIn(ada.token);
    const second = await satellite.refresh(first.refreshToken);
    expect(second.status).toBe(200);
    await satellite.signIn(ada.token);
    expect(await satellite.refresh(second.body['refreshToken'])).toMatchObject(INVALID_TOKEN);
  });

  it('fifty parallel exchanges of a code, over and over: one of each fifty succeeds', async () => {
    for (let round = 0; round < PARALLEL_ROUNDS; round += 1) {
      const { code, codeVerifier } = await issued(ada.token);
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => satellite.exchange(code, codeVerifier)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(49);
      ada = await Person.again(ada);
    }
  });

  it('an exchange beside a logout gives nothing that outlives it', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      ada = await Person.again(ada);
      const { code, codeVerifier } = await issued();
      const [exchanged, loggedOut] = await Promise.all([
        satellite.exchange(code, codeVerifier),
        app.post('logout', undefined, { token: ada.token }),
      ]);
      expect(loggedOut.status).toBe(204);
      expect([200, 400]).toContain(exchanged.status);
      if (exchanged.status === 400) continue;
      expect(await signedIn(String(exchanged.body['accessToken']))).toBe(false);
      expect(await satellite.refresh(exchanged.body['refreshToken'])).toMatchObject(INVALID_TOKEN);
    }
  });

  it('are gone once they have expired', async () => {
    await issued();
    await app.sql("UPDATE one_time_codes SET expires_at = now() - interval '1 second'");
    await app.sql("SELECT graphile_worker.add_job('housekeeping', '{}')");
    await eventually(
      'they are gone',
      async () => (await app.sql('SELECT 1 FROM one_time_codes')).length === 0,
    );
  });
});
