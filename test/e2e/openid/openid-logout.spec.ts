import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { SuspensionService } from '../../../src/iam/index.js';
import { IdTokens } from '../../../src/openid/token/id-tokens.js';
import { ClientService } from '../../../src/client/index.js';
import { LogoutService, UpstreamSignOut } from '../../../src/session/index.js';
import { ExpiredSessions } from '../../../src/session/sessions/expired-sessions.js';
import { age } from '../../support/ageing.js';
import { byTwoFactors } from '../../support/factors.js';
import { LogoutReceiver } from '../../support/logout-receiver.js';
import { Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { signUpOperator } from '../../support/satellite.js';
import { eventually, TestApp } from '../../support/test-app.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';

const ME = '/api/v1/iam/me';
const HOME = 'https://help.example/';
const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

describe('Logout by OpenID Connect', () => {
  let app: TestApp;
  let receiver: LogoutReceiver;
  let client: RelyingParty;
  let native: RelyingParty;
  let person: Person;
  beforeAll(async () => {
    receiver = await LogoutReceiver.start();
    app = await TestApp.start({ WEBHOOK_TRUSTED_HOSTS: '127.0.0.1' });
    const data = { backchannelLogoutUri: receiver.url, postLogoutRedirectUris: [HOME] };
    client = await RelyingParty.register(app, data);
    native = await RelyingParty.register(app, { type: 'public' });
  });
  beforeEach(async () => {
    receiver.tokens.length = 0;
    receiver.status = 200;
    person = await Person.signUp(app);
  });
  afterAll(async () => {
    await app.stop();
    await receiver.stop();
  });

  const service = <T>(type: abstract new (...given: never[]) => T): T => app.app.get(type, { strict: false });
  const notices = () => app.sql<{ attempts: number }>('SELECT attempts FROM logout_notices');
  const signOut = (parameters: Readonly<Record<string, string>>, headers: Record<string, string> = {}) => {
    const url = new URL('/oauth2/logout', app.url);
    url.search = new URLSearchParams(parameters).toString();
    return fetch(url, { redirect: 'manual', headers });
  };

  it('sends a token that names the session, by the key of the client, valid for two minutes', async () => {
    await client.signIn(person.token);
    await app.post('logout', undefined, { token: person.token });
    const [token = ''] = await receiver.waitFor(1);
    const keys = (await app.get('/.well-known/jwks.json')).body as never;
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer: 'http://gatehouse.test',
      audience: client.clientId,
      typ: 'logout+jwt',
      algorithms: ['RS256'],
    });
    expect(payload).toEqual({
      iss: 'http://gatehouse.test',
      aud: client.clientId,
      sid: person.sessionId,
      jti: expect.any(String),
      events: { [EVENT]: {} },
      iat: expect.any(Number),
      exp: Number(payload.iat) + 120,
    });
    expect(Object.keys(protectedHeader).sort()).toEqual(['alg', 'kid', 'typ']);
  });

  it.each<[string, (ended: Person) => Promise<unknown>]>([
    ['logout', ({ token }) => app.post('logout', undefined, { token })],
    ['logout from all devices', ({ token }) => app.post('logout-all', undefined, { token })],
    [
      'logout from other devices',
      async (ended) => app.post('logout-others', undefined, { token: (await Person.again(ended)).token }),
    ],
    [
      'a change of the password',
      async (ended) => {
        const { token } = await Person.again(ended);
        const body = { currentPassword: ended.password, newPassword: 'another-harbour-43' };
        return app.call('PUT', `${ME}/password`, body, { token });
      },
    ],
    [
      'a reset of the password',
      async ({ email }) => {
        await app.post('request-password-reset', { email });
        const token = await app.mailedToken(email, 2);
        return app.post('reset-password', { token, newPassword: 'another-harbour-43' });
      },
    ],
    [
      'the end of one session from another',
      async (ended) => {
        const { token } = await Person.again(ended);
        return app.call('DELETE', `${ME}/sessions/${ended.sessionId}`, undefined, { token });
      },
    ],
    [
      'the end of inactive sessions',
      async (ended) => {
        const { token } = await Person.again(ended);
        await age(app, 'sessions', 100 * 86_400, 'id = $1', [ended.sessionId]);
        await app.sql("UPDATE sessions SET expires_at = now() + interval '1 day' WHERE id = $1", [
          ended.sessionId,
        ]);
        await age(app, 'grants', 50 * 86_400, 'session_id = $1', [ended.sessionId]);
        return app.call('POST', `${ME}/sessions/end-inactive`, { days: 30 }, { token });
      },
    ],
    [
      'an operator who ends all sessions',
      async ({ id }) => {
        const token = byTwoFactors(app, (await signUpOperator(app)).token);
        return app.call('POST', `/api/v1/operator/people/${id}/end-sessions`, undefined, { token });
      },
    ],
    [
      'a logout at the provider of a connection',
      async ({ id, sessionId }) => {
        await app.sql(
          "INSERT INTO upstream_sessions (session_id, connection_id, name_id_hash, oidc_sid, sealed) VALUES ($1, 'main', '\\x01', '\\x02', 'x')",
          [sessionId],
        );
        const match = { connectionId: 'main', nameIdHashes: [], sessionIndexes: [], oidcSids: ['02'] };
        await service(UpstreamSignOut).endSessions(id as never, match);
      },
    ],
    ['suspension', async ({ id }) => service(SuspensionService).suspend(id as never)],
    ['erasure', ({ token }) => app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })],
    [
      'the reuse of a refresh token',
      async ({ token }) => {
        const { refresh_token: first = '' } = await native.signIn(token);
        const refresh = (refreshToken: string) =>
          native.post(
            '/oauth2/token',
            {
              grant_type: 'refresh_token',
              refresh_token: refreshToken,
              client_id: native.clientId,
            },
            null,
          );
        const second = String((await refresh(first)).body['refresh_token']);
        await refresh(second);
        await refresh(first);
      },
    ],
    [
      'deprovisioning',
      async ({ id, sessionId }) => {
        await app.sql(
          "INSERT INTO session_evidence (session_id, method, connection_id, acr) VALUES ($1, 'oidc', 'main', 'aal1')",
          [sessionId],
        );
        await service(LogoutService).endSessionsByConnections(id as never, ['main']);
      },
    ],
    [
      'the limit of sessions of a person',
      async (ended) => {
        await app.sql(
          `INSERT INTO sessions (id, account_id, amr, expires_at)
           SELECT '7ZZZZZZZZZZZZZZZZZZ' || lpad(n::text, 7, '0'), account_id, amr, expires_at
           FROM sessions, generate_series(1, 9999) n WHERE id = $1`,
          [ended.sessionId],
        );
        await Person.again(ended);
        expect(
          await app.sql("SELECT 1 FROM audit_events WHERE action = 'session.ended' AND subject = $1", [
            `iam/sessions/${ended.sessionId}`,
          ]),
        ).toHaveLength(1);
      },
    ],
  ])('reaches the client after %s', async (_, end) => {
    await client.signIn(person.token);
    await end(person);
    const [token = ''] = await receiver.waitFor(1);
    expect(decodeJwt(token)['sid']).toBe(person.sessionId);
  });

  it('is tried again until the client accepts it', async () => {
    receiver.status = 503;
    await client.signIn(person.token);
    await app.post('logout', undefined, { token: person.token });
    await receiver.waitFor(1);
    receiver.status = 204;
    await eventually('it waits for the next attempt', async () => {
      const waiting = await app.sql(
        'UPDATE logout_notices SET due_at = now() WHERE attempts = 1 RETURNING 1',
      );
      return waiting.length > 0;
    });
    await receiver.waitFor(2);
    await eventually('it is done', async () => (await notices()).length === 0);
  });

  it('waits for the end of a request to a client that hangs, and is sent then', async () => {
    receiver.hangs = true;
    await client.signIn(person.token);
    await client.signIn((await Person.again(person)).token);
    await app.post('logout-all', undefined, { token: person.token });
    await receiver.waitFor(1);
    expect(await notices()).toEqual([{ attempts: 0 }, { attempts: 0 }]);
    receiver.answer();
    await receiver.waitFor(2);
    await eventually('both are done', async () => (await notices()).length === 0);
    expect(receiver.tokens).toHaveLength(2);
  });

  it('is not sent to a client without a back channel, nor for another session', async () => {
    const other = await Person.signUp(app);
    await client.signIn(person.token);
    await native.signIn(other.token);
    await app.post('logout', undefined, { token: other.token });
    await app.post('logout', undefined, { token: person.token });
    await receiver.waitFor(1);
    expect(receiver.tokens.map((token) => decodeJwt(token)['sid'])).toEqual([person.sessionId]);
  });

  it('begun by a client ends the session and returns to a registered address', async () => {
    const { id_token: hint = '' } = await client.signIn(person.token);
    const back = await signOut({ id_token_hint: hint, post_logout_redirect_uri: HOME, state: 'x 1' });
    expect([back.status, back.headers.get('location')]).toEqual([303, `${HOME}?state=x+1`]);
    expect((await app.get(ME, person.token)).status).toBe(401);
    await receiver.waitFor(1);
  });

  it('by the hint of a session that has ended leaves another one to the person', async () => {
    const { id_token: hint = '' } = await client.signIn(person.token);
    await app.post('logout', undefined, { token: person.token });
    const { token } = await Person.again(person);
    const named = { client_id: client.clientId, post_logout_redirect_uri: HOME, state: 'x 1' };
    const { client_id: _, ...asked } = named;
    const answer = await signOut({ id_token_hint: hint, ...asked });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `http://gatehouse.test/sign-out?${new URLSearchParams(named)}`,
    ]);
    expect((await app.get(ME, token)).status).toBe(200);
  });

  it('takes an ID token that has expired as a hint: sessions last longer', async () => {
    const tokens = await client.signIn(person.token);
    const { sub, sid } = decodeJwt(String(tokens.id_token));
    const of = { clientId: client.clientId, idTokenAlg: 'RS256' } as const;
    const expired = await service(IdTokens).signClaims(of, { sub, sid }, { seconds: -86_400 });
    expect((await signOut({ id_token_hint: expired })).headers.get('location')).toBe('http://gatehouse.test');
    expect((await app.get(ME, person.token)).status).toBe(401);
  });

  it('refuses an address that is not registered, and the hint of another client, and ends nothing', async () => {
    const { id_token: hint = '' } = await client.signIn(person.token);
    const attacker = { post_logout_redirect_uri: 'https://attacker.example/' };
    expect((await signOut({ id_token_hint: hint, ...attacker })).status).toBe(400);
    expect((await signOut({ client_id: client.clientId, ...attacker })).status).toBe(400);
    expect((await signOut({ id_token_hint: hint, client_id: native.clientId })).status).toBe(400);
    expect((await app.get(ME, person.token)).status).toBe(200);
  });

  it.each([
    ['an unknown client', 'Die App ist hier nicht registriert'],
    ['an address that is not registered', 'Die Adresse, zu der die App zurückführt'],
    ['an address that is not registered, beside a hint', 'Die Adresse, zu der die App zurückführt'],
    ['the hint of another client', 'Die Anfrage nennt eine andere App'],
  ])('for %s tells the person what to do, and repeats no parameter', async (fault, lead) => {
    const { id_token: hint = '' } = await client.signIn(person.token);
    const trap = 'https://attacker.example/';
    const faults: Readonly<Record<string, Record<string, string>>> = {
      'an unknown client': { client_id: 'unknown-client', post_logout_redirect_uri: HOME },
      'an address that is not registered': { client_id: client.clientId, post_logout_redirect_uri: trap },
      'the hint of another client': { id_token_hint: hint, client_id: native.clientId },
    };
    const parameters = faults[fault] ?? { id_token_hint: hint, post_logout_redirect_uri: trap };
    const asked = { accept: 'text/html', 'accept-language': 'de' };
    const answer = await signOut({ ...parameters, state: 'a-state-of-the-client' }, asked);
    expect(answer.status).toBe(400);
    const page = await answer.text();
    expect(page).toContain('<h1>Diese App kann Sie nicht abmelden</h1>');
    for (const text of [lead, 'Sie wurden nicht abgemeldet', 'auf der Seite Ihres Kontos'])
      expect(page).toContain(text);
    for (const value of [...Object.values(parameters), 'a-state-of-the-client'])
      expect(page).not.toContain(value);
    expect((await app.get(ME, person.token)).status).toBe(200);
  });

  it('without a valid hint leaves it to the person, on a page of the app', async () => {
    const { id_token: hint = '', access_token: access } = await client.signIn(person.token);
    await app.post('logout', undefined, { token: (await Person.again(person)).token });
    for (const other of [undefined, `${hint.slice(0, -4)}AAAA`, access]) {
      const answer = await signOut(other === undefined ? {} : { id_token_hint: other });
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        'http://gatehouse.test/sign-out',
      ]);
    }
    expect((await app.get(ME, person.token)).status).toBe(200);
  });

  it('tells that page of the client and the return, if they are registered', async () => {
    const named = { client_id: client.clientId, post_logout_redirect_uri: HOME, state: 'x 1' };
    const answer = await signOut(named);
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `http://gatehouse.test/sign-out?${new URLSearchParams(named)}`,
    ]);
    const describe = (query: Record<string, string>) =>
      app.get(`/api/v1/iam/auth/logout-request?${new URLSearchParams(query)}`);
    const { clientId } = client;
    expect((await describe({ clientId, postLogoutRedirectUri: HOME, state: 'x 1' })).body).toEqual({
      name: 'Help centre',
      redirectTo: `${HOME}?state=x+1`,
    });
    expect((await describe({ clientId })).body).toEqual({ name: 'Help centre', redirectTo: null });
    const traps = [
      { clientId, postLogoutRedirectUri: 'https://attacker.example/' },
      { clientId: native.clientId, postLogoutRedirectUri: HOME },
      { clientId: 'unknown', postLogoutRedirectUri: HOME },
    ];
    for (const trap of traps) expect((await describe(trap)).status).toBe(400);
  });

  it('returns with the state of the request alone', async () => {
    const uri = `${HOME}?state=registered&page=2`;
    const rp = await RelyingParty.register(app, { postLogoutRedirectUris: [uri] });
    const { id_token: hint = '' } = await rp.signIn(person.token);
    const back = await signOut({ id_token_hint: hint, post_logout_redirect_uri: uri, state: 'asked' });
    expect(back.headers.get('location')).toBe(`${HOME}?state=asked&page=2`);
  });

  it('is not sent to a disabled client, also once it is enabled again', async () => {
    const rp = await RelyingParty.register(app, { backchannelLogoutUri: receiver.url });
    await client.signIn(person.token);
    await rp.signIn(person.token);
    await service(ClientService).disable(null, rp.clientId);
    await app.post('logout', undefined, { token: person.token });
    const told = 'SELECT 1 FROM logout_notices WHERE client_id = $1';
    expect(await app.sql(told, [rp.clientId])).toEqual([]);
    await receiver.waitFor(1);
  });

  it('is given up after a week, and not before', async () => {
    const add = (sessionId: string, age: string) =>
      app.sql(
        `INSERT INTO logout_notices (client_id, session_id, due_at, created_at)
         VALUES ('a-client-that-hangs', $1, now() + interval '1 day', now() - $2::interval)`,
        [sessionId, age],
      );
    await add('of a week', '7 days 1 minute');
    await add('of a day less', '6 days');
    await service(CleanupService).run();
    const left = 'DELETE FROM logout_notices WHERE client_id = $1 RETURNING session_id';
    expect(await app.sql(left, ['a-client-that-hangs'])).toEqual([{ session_id: 'of a day less' }]);
  });

  it('reaches the client when a session expires, once', async () => {
    await client.signIn(person.token);
    await client.signIn((await Person.again(person)).token);
    await app.post('logout', undefined, { token: person.token });
    await receiver.waitFor(1);
    await age(app, 'sessions', 400 * 86_400, 'account_id = $1', [person.id]);
    const expired = service(ExpiredSessions);
    await expired.cleanUp();
    await expired.cleanUp();
    await receiver.waitFor(2);
    const told = receiver.tokens.map((token) => decodeJwt(token)['sid']);
    expect([told.length, new Set(told).size, told[0]]).toEqual([2, 2, person.sessionId]);
    expect(await app.sql('SELECT 1 FROM sessions WHERE account_id = $1', [person.id])).toEqual([]);
  });
});
