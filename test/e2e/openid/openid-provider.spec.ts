import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import {
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
  jwtVerify,
  SignJWT,
} from 'jose';
import { fetchUserInfo, PrivateKeyJwt, randomDPoPKeyPair, refreshTokenGrant } from 'openid-client';
import type { PersonPrincipal, UserId } from '../../../src/kernel/index.js';
import { RsaKeys } from '../../../src/session/index.js';
import { ConsentRepository } from '../../../src/openid/consents/consent.repository.js';
import { DecisionService } from '../../../src/openid/decisions/decision.service.js';
import { SubjectRepository } from '../../../src/openid/subjects/subject.repository.js';
import { Subjects } from '../../../src/openid/subjects/subjects.js';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { ClientService } from '../../../src/client/index.js';
import { age } from '../../support/ageing.js';
import { signedInAgo } from '../../support/aged.js';
import { inTurnBehind } from '../../support/locks.js';
import { Organization, Person } from '../../support/organization.js';
import { RelyingParty } from '../../support/relying-party.js';
import { TestSatellite } from '../../support/satellite.js';
import { itemsOf, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const INVALID_GRANT = { status: 400, body: { error: 'invalid_grant' } };

describe('The OpenID provider', () => {
  let ada: Person;
  let client: RelyingParty;
  let stranger: RelyingParty;
  let native: RelyingParty;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
    client = await RelyingParty.register(app);
    stranger = await RelyingParty.register(app, { firstParty: false });
    native = await RelyingParty.register(app, {
      type: 'public',
      redirectUris: ['http://127.0.0.1/callback'],
      idTokenAlg: 'ES256',
    });
  });

  const errorOf = (back: URL | string): string | null => new URL(back).searchParams.get('error');
  const codeOf = async (token = ada.token, parameters = {}) => {
    const request = await client.request(parameters);
    const { body } = await client.approve(request.id, token);
    return { ...request, code: new URL(String(body['redirectTo'])).searchParams.get('code') ?? '' };
  };
  const exchange = (code: string, verifier: string, changes: object = {}) =>
    client.post('/oauth2/token', {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifier,
      redirect_uri: client.redirectUri,
      ...changes,
    });

  describe('sign-in by the code flow', () => {
    it('gives a client tokens in the session of the person, which end with it', async () => {
      const person = await Person.signUp(app);
      const tokens = await client.signIn(person.token);
      const claims = tokens.claims();
      expect(claims).toMatchObject({
        iss: 'http://gatehouse.test',
        aud: client.clientId,
        azp: client.clientId,
        sub: person.id,
        sid: person.sessionId,
        acr: 'aal1',
        amr: ['pwd'],
        auth_time: expect.any(Number),
      });
      expect(decodeProtectedHeader(String(tokens.id_token)).alg).toBe('RS256');
      expect(decodeJwt(tokens.access_token)).toMatchObject({
        scope: 'openid profile email',
        client_id: client.clientId,
        sid: person.sessionId,
      });
      const info = await fetchUserInfo(client.config, tokens.access_token, person.id);
      expect(info).toEqual({
        sub: person.id,
        name: 'Ada',
        given_name: 'Ada',
        preferred_username: person.email,
        email: person.email,
        email_verified: true,
      });
      const [session] = itemsOf<object>(await app.get(`${ME}/sessions`, person.token));
      expect(session).toMatchObject({
        id: person.sessionId,
        properties: ['gatehouse', client.clientId].map((clientId) => ({
          clientId,
          lastUsedAt: expect.any(String),
        })),
      });
      await app.post('logout', undefined, { token: person.token });
      expect((await app.get(ME, tokens.access_token)).status).toBe(401);
      await expect(refreshTokenGrant(client.config, String(tokens.refresh_token))).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    });

    it('describes the client to the page, and asks no consent for a client of our own', async () => {
      const { id } = await client.request({
        login_hint: 'ada@example.com',
        max_age: '600',
        acr_values: 'x aal2',
      });
      expect((await client.read(id)).body).toEqual({
        client: {
          clientId: client.clientId,
          idHost: null,
          name: 'Help centre',
          logoUri: null,
          logoUrl: null,
          redirectUri: client.redirectUri,
          ofOrganization: false,
        },
        api: null,
        scopes: ['openid', 'profile', 'email'],
        prompt: [],
        loginHint: 'ada@example.com',
        maxAge: 600,
        acr: 'aal2',
        firstParty: true,
        needsConsent: false,
      });
    });

    it('takes requests in any form that the standard allows', async () => {
      const { url } = await client.depart({
        scope: 'email openid other',
        display: 'page',
        ui_locales: 'de',
        // As Nextcloud sends it: scopes decide what a client gets.
        claims: '{"id_token":{"email":null},"userinfo":{"name":{"essential":true}}}',
        x: '1',
      });
      url.searchParams.delete('nonce');
      const posted = await client.post('/oauth2/authorize', Object.fromEntries(url.searchParams), null);
      expect(posted.location).toMatch(
        /^http:\/\/gatehouse\.test\/authorize\?request=[\w-]{43}&ui_locales=de$/,
      );
      const page = await client.open(url);
      const { body } = await client.read(page.searchParams.get('request') ?? '');
      expect(body).toMatchObject({ scopes: ['email', 'openid'] });
    });

    it('tells the page the languages that the client asks for, also in a pushed request', async () => {
      const { url } = await client.depart({ ui_locales: 'fr-CA de' });
      expect((await client.open(url)).searchParams.get('ui_locales')).toBe('fr-CA de');
      const pushed = await client.post('/oauth2/par', Object.fromEntries(url.searchParams));
      const { href } = new URL('/oauth2/authorize', url);
      const query = { client_id: client.clientId, request_uri: String(pushed.body['request_uri']) };
      const page = await client.open(new URL(`${href}?${new URLSearchParams(query)}`));
      expect(page.searchParams.get('ui_locales')).toBe('fr-CA de');
      const { url: bad } = await client.depart({ ui_locales: '<script>' });
      expect((await client.open(bad)).searchParams.has('ui_locales')).toBe(false);
    });

    it('authenticates a client by the method of its registration alone', async () => {
      const poster = await RelyingParty.register(app, { tokenEndpointAuthMethod: 'client_secret_post' });
      const form = { token: 'x', client_id: poster.clientId, client_secret: poster.clientSecret };
      expect((await poster.post('/oauth2/revoke', form, null)).status).toBe(200);
      expect((await poster.post('/oauth2/revoke', { token: 'x' })).status).toBe(401);
      const basic = await RelyingParty.register(app, { tokenEndpointAuthMethod: 'client_secret_basic' });
      const other = { token: 'x', client_id: basic.clientId, client_secret: basic.clientSecret };
      expect((await basic.post('/oauth2/revoke', other, null)).status).toBe(401);
      expect((await basic.post('/oauth2/revoke', other)).body).toMatchObject({ error: 'invalid_request' });
      for (const [named, status] of [
        [client.clientId, 200],
        [stranger.clientId, 401],
        [native.clientId, 401],
      ] as const)
        expect((await client.post('/oauth2/revoke', { token: 'x', client_id: named })).status).toBe(status);
      expect(
        (await native.post('/oauth2/revoke', { token: 'x', client_id: native.clientId }, null)).status,
      ).toBe(200);
    });

    it('takes the id of a public client in a header without a secret, and of no other', async () => {
      const header = (id: string) => `Basic ${Buffer.from(`${id}:`).toString('base64')}`;
      const form = { grant_type: 'refresh_token', refresh_token: 'x' };
      expect(await native.post('/oauth2/token', form, header(native.clientId))).toMatchObject(INVALID_GRANT);
      const refused = await client.post('/oauth2/token', form, header(client.clientId));
      expect(refused).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      const beside = { ...form, client_id: native.clientId };
      for (const other of [header(client.clientId), `Bearer ${ada.token}`, 'Basic x', 'Digest x'])
        expect([other, (await client.post('/oauth2/token', beside, other)).status]).toEqual([other, 401]);
    });

    it('takes one Authorization header alone', async () => {
      const status = await new Promise<number | undefined>((resolve, reject) => {
        const authorization = [client.authorization, client.authorization] as never;
        const headers = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
        const sent = request(`${app.url}/oauth2/revoke`, { method: 'POST', headers });
        sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
        sent.end('token=x');
      });
      expect(status).toBe(400);
    });

    it('knows no tokens of a satellite, which is registered for its codes', async () => {
      const satellite = await TestSatellite.register(app);
      const { accessToken: access, refreshToken: refresh } = await satellite.signIn(ada.token);
      const party = await RelyingParty.of(app, satellite);
      const form = { grant_type: 'refresh_token', refresh_token: refresh };
      const refused = { status: 400, body: { error: 'unauthorized_client' } };
      expect(await party.post('/oauth2/token', form)).toMatchObject(refused);
      expect(await client.post('/oauth2/token', form)).toMatchObject(INVALID_GRANT);
      for (const token of [access, refresh])
        expect((await party.post('/oauth2/introspect', { token })).body).toEqual({ active: false });
      expect((await app.get('/oauth2/userinfo', access)).status).toBe(403);
      const { url } = await party.depart();
      expect((await party.open(url)).searchParams.get('error')).toBe('unauthorized_client');
    });

    it('authenticates a client by the signature of its key, once for each assertion', async () => {
      const keys = await randomDPoPKeyPair('ES256', { extractable: true });
      const jwk = await exportJWK(keys.publicKey);
      const signer = await RelyingParty.register(
        app,
        { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } },
        PrivateKeyJwt(keys.privateKey),
      );
      expect(signer.clientSecret).toBe('');
      const { refresh_token: refresh = '' } = await signer.signIn(ada.token);
      expect((await refreshTokenGrant(signer.config, refresh)).token_type).toBe('bearer');
      const assert = (changes: object = {}, key: CryptoKey = keys.privateKey, header: object = {}) =>
        new SignJWT({
          iss: signer.clientId,
          sub: signer.clientId,
          aud: 'http://gatehouse.test',
          jti: randomUUID(),
          iat: Math.floor(Date.now() / 1_000),
          exp: Math.floor(Date.now() / 1_000) + 60,
          ...changes,
        })
          .setProtectedHeader({ alg: 'ES256', ...header })
          .sign(key);
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
      const revoke = async (
        assertion: string,
        more: Record<string, string> = {},
        basic: string | null = null,
      ) => {
        const form = { token: 'x', client_assertion_type: type, client_assertion: assertion, ...more };
        return (await signer.post('/oauth2/revoke', form, basic)).status;
      };
      const once = await assert();
      expect([await revoke(once), await revoke(once)]).toEqual([200, 401]);
      const { privateKey: other } = await randomDPoPKeyPair('ES256');
      expect(await revoke(await assert({}, other))).toBe(401);
      for (const bad of [
        { aud: 'http://gatehouse.test/oauth2/token' },
        { iss: client.clientId },
        { sub: client.clientId },
        { exp: Math.floor(Date.now() / 1_000) - 10 },
        { exp: Math.floor(Date.now() / 1_000) + 330 },
        { jti: undefined },
        { jti: '' },
        { iat: undefined },
        { exp: undefined },
        { iat: Math.floor(Date.now() / 1_000) + 60, exp: Math.floor(Date.now() / 1_000) + 120 },
        { iat: Math.floor(Date.now() / 1_000) - 360 },
        { aud: ['http://gatehouse.test', 'https://other.example'] },
      ])
        expect([bad, await revoke(await assert(bad))]).toEqual([bad, 401]);
      // A token of another kind, which the same key has signed (RFC 8725 section 3.11).
      for (const typ of ['at+jwt', 'dpop+jwt', 'oauth-id-jag+jwt', 'application/logout+jwt', 'secevent+jwt'])
        expect([typ, await revoke(await assert({}, keys.privateKey, { typ }))]).toEqual([typ, 401]);
      for (const typ of ['JWT', 'client-authentication+jwt', 'application/oauth-client-auth+jwt'])
        expect([typ, await revoke(await assert({}, keys.privateKey, { typ }))]).toEqual([typ, 200]);
      expect(await revoke(await assert(), { client_id: client.clientId })).toBe(401);
      expect(await revoke(await assert(), { client_assertion_type: 'x' })).toBe(400);
      expect(await revoke(await assert(), { client_secret: 'x' })).toBe(400);
      expect(await revoke(await assert(), {}, client.authorization)).toBe(400);
      expect(
        (await signer.post('/oauth2/revoke', { token: 'x', client_id: signer.clientId }, null)).status,
      ).toBe(401);
      expect(await revoke(await assert())).toBe(200);
    });

    it('approves and denies a request once, with state and issuer in the answer', async () => {
      const denied = await client.request();
      const { body } = await client.deny(denied.id);
      const back = new URL(String(body['redirectTo']));
      expect(Object.fromEntries(back.searchParams)).toEqual({
        error: 'access_denied',
        error_description: 'The person refused, or may not use the client.',
        state: denied.state,
        iss: 'http://gatehouse.test',
      });
      expect((await client.approve(denied.id, ada.token)).status).toBe(404);
      const approved = await client.request();
      expect((await client.approve(approved.id, ada.token)).status).toBe(200);
      expect((await client.approve(approved.id, ada.token)).status).toBe(404);
      expect((await client.read('unknown')).status).toBe(404);
    });

    it('is neither shown, approved nor denied after its ten minutes', async () => {
      const { id } = await client.request();
      expect((await client.read(id)).status).toBe(200);
      await age(app, 'oidc_requests', 600, 'client_id = $1', [client.clientId]);
      const codes = 'SELECT 1 FROM one_time_codes WHERE client_id = $1';
      const before = (await app.sql(codes, [client.clientId])).length;
      for (const answer of [
        await client.read(id),
        await client.read(id, ada.token),
        await client.approve(id, ada.token),
        await client.deny(id),
      ])
        expect([answer.status, answer.body['redirectTo']]).toEqual([404, undefined]);
      expect(await app.sql(codes, [client.clientId])).toHaveLength(before);
    });

    it('goes to no address that was removed from the registration while it waited', async () => {
      const rp = await RelyingParty.register(app);
      const [approved, denied] = [await rp.request(), await rp.request()];
      const kept = 'https://kept.example/callback';
      const satellites = app.app.get(ClientService, { strict: false });
      await satellites.update(null, rp.clientId, { redirectUris: [kept, rp.redirectUri] });
      expect((await rp.read(approved.id)).status).toBe(200);
      await satellites.update(null, rp.clientId, { redirectUris: [kept] });
      expect((await rp.read(approved.id)).status).toBe(404);
      expect((await rp.approve(approved.id, ada.token)).status).toBe(404);
      expect((await rp.deny(denied.id)).status).toBe(404);
    });

    it('accepts a loopback address with any port from a public client, and signs by ES256', async () => {
      const redirectUri = 'http://127.0.0.1:49152/callback';
      const request = await native.request({ redirect_uri: redirectUri });
      const { body } = await native.approve(request.id, ada.token);
      expect(String(body['redirectTo'])).toMatch(/^http:\/\/127\.0\.0\.1:49152\/callback\?code=/);
      const tokens = await native.redeem(String(body['redirectTo']), request);
      expect(decodeProtectedHeader(String(tokens.id_token)).alg).toBe('ES256');
      const device = { type: 'public' as const, redirectUris: ['http://[::1]/callback'] };
      const ofSix = await RelyingParty.register(app, device);
      expect((await ofSix.request({ redirect_uri: 'http://[::1]:49152/callback' })).id).not.toBe('');
      await expect(ofSix.request({ redirect_uri: 'http://127.0.0.1:1/callback' })).rejects.toThrow('400');
      for (const other of [
        'http://[::1]:1/callback',
        'http://127.0.0.1:1/other',
        'http://localhost:1/callback',
        'http://127.0.0.1.example/callback',
      ])
        await expect(native.request({ redirect_uri: other })).rejects.toThrow('400');
    });

    it('accepts no loopback address by a port that is none', async () => {
      for (const port of ['99999', '049152', '80', '']) {
        const { url } = await native.depart({ redirect_uri: `http://127.0.0.1:${port}/callback` });
        await expect(native.open(url)).rejects.toThrow('400');
      }
    });

    it('is refused to a client that has no authorization_code grant', async () => {
      const grantTypes = ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'] as const;
      const device = await RelyingParty.register(app, { grantTypes: [...grantTypes] });
      expect(errorOf(await device.open((await device.depart()).url))).toBe('unauthorized_client');
      const form = { grant_type: 'authorization_code', code: 'x', redirect_uri: device.redirectUri };
      expect(await device.post('/oauth2/token', form)).toMatchObject({
        status: 400,
        body: { error: 'unauthorized_client' },
      });
    });

    it('gives no refresh token to a client without that grant type', async () => {
      const brief = await RelyingParty.register(app, { grantTypes: ['authorization_code'] });
      expect(await brief.signIn(ada.token)).not.toHaveProperty('refresh_token');
    });

    it('accepts a loopback address of a client with a secret by its registered port alone', async () => {
      const registered = 'http://127.0.0.1:8080/callback';
      const own = await RelyingParty.register(app, { redirectUris: [registered] });
      expect((await own.request({ redirect_uri: registered })).id).not.toBe('');
      await expect(own.request({ redirect_uri: registered.replace('8080', '8081') })).rejects.toThrow('400');
    });
  });

  describe('a code', () => {
    it('is single-use: the second use ends what the first gave, and not the session', async () => {
      const { code, verifier } = await codeOf();
      const first = await exchange(code, verifier);
      const token = String(first.body['access_token']);
      expect((await app.get('/oauth2/userinfo', token)).status).toBe(200);
      expect(await exchange(code, verifier)).toMatchObject(INVALID_GRANT);
      expect((await app.get('/oauth2/userinfo', token)).status).toBe(401);
      expect(
        await client.post('/oauth2/token', {
          grant_type: 'refresh_token',
          refresh_token: String(first.body['refresh_token']),
        }),
      ).toMatchObject(INVALID_GRANT);
      expect((await app.get(ME, ada.token)).status).toBe(200);
    });

    it('ends what it gave if it is used again within its minute, without the verifier too', async () => {
      const { code, verifier } = await codeOf();
      const { body } = await exchange(code, verifier);
      const token = String(body['access_token']);
      expect((await app.get('/oauth2/userinfo', token)).status).toBe(200);
      expect(await exchange(code, 'x'.repeat(43))).toMatchObject(INVALID_GRANT);
      expect((await app.get('/oauth2/userinfo', token)).status).toBe(401);
    });

    it('is single-use also after its minute: its own client ends what it gave, a finder does not', async () => {
      const { code, verifier } = await codeOf();
      const first = await exchange(code, verifier);
      const token = String(first.body['access_token']);
      expect(first.status).toBe(200);
      const isAlive = async () => (await app.get('/oauth2/userinfo', token)).status === 200;
      await age(app, 'one_time_codes', 86_400, 'account_id = $1', [ada.id]);
      await app.app.get(CleanupService, { strict: false }).run();
      // Found in a log, without the verifier: it must not sign anyone out.
      expect(await exchange(code, 'x'.repeat(43))).toMatchObject(INVALID_GRANT);
      expect(await isAlive()).toBe(true);
      expect(await exchange(code, verifier)).toMatchObject(INVALID_GRANT);
      expect(await isAlive()).toBe(false);
      expect((await app.get(ME, ada.token)).status).toBe(200);
    });

    it('is removed after its minute unless it was presented, and else with its session', async () => {
      const person = await Person.signUp(app);
      const count = async () =>
        (await app.sql('SELECT 1 FROM one_time_codes WHERE account_id = $1', [person.id])).length;
      const unused = await codeOf(person.token);
      const burnt = await codeOf(person.token);
      const used = await codeOf(person.token);
      expect(await exchange(burnt.code, 'x'.repeat(43))).toMatchObject(INVALID_GRANT);
      expect((await exchange(used.code, used.verifier)).status).toBe(200);
      await age(app, 'one_time_codes', 61, 'account_id = $1', [person.id]);
      expect(await exchange(unused.code, unused.verifier)).toMatchObject(INVALID_GRANT);
      await app.app.get(CleanupService, { strict: false }).run();
      expect(await count()).toBe(2);
      const rest = 'EXTRACT(epoch FROM c.expires_at - s.expires_at)::int';
      expect(
        await app.sql(
          `SELECT ${rest} AS apart, nonce FROM one_time_codes c JOIN sessions s ON s.id = c.session_id WHERE c.account_id = $1`,
          [person.id],
        ),
      ).toEqual(Array(2).fill({ apart: -61, nonce: null }));
    });

    it('is refused with another verifier, redirect URI or client, and after the session', async () => {
      const burnt = await codeOf();
      expect(await exchange(burnt.code, 'x'.repeat(43))).toMatchObject(INVALID_GRANT);
      expect(await exchange(burnt.code, burnt.verifier)).toMatchObject(INVALID_GRANT);
      const moved = await codeOf();
      const wrong = { redirect_uri: `${client.redirectUri}/` };
      expect(await exchange(moved.code, moved.verifier, wrong)).toMatchObject(INVALID_GRANT);
      const foreign = await codeOf();
      expect(
        await stranger.post('/oauth2/token', {
          grant_type: 'authorization_code',
          code: foreign.code,
          code_verifier: foreign.verifier,
          redirect_uri: client.redirectUri,
        }),
      ).toMatchObject(INVALID_GRANT);
      const person = await Person.signUp(app);
      const late = await codeOf(person.token);
      await app.post('logout', undefined, { token: person.token });
      expect(await exchange(late.code, late.verifier)).toMatchObject(INVALID_GRANT);
    });

    it('is refused after its minute, and once its session has expired', async () => {
      const person = await Person.signUp(app);
      const old = await codeOf(person.token);
      const expire =
        "UPDATE one_time_codes SET expires_at = now() - interval '1 second' WHERE account_id = $1";
      await app.sql(expire, [person.id]);
      expect(await exchange(old.code, old.verifier)).toMatchObject(INVALID_GRANT);
      const late = await codeOf(person.token);
      await app.sql('UPDATE sessions SET expires_at = now() WHERE account_id = $1', [person.id]);
      expect(await exchange(late.code, late.verifier)).toMatchObject(INVALID_GRANT);
    });

    it('is refused if its session ends while it is exchanged', async () => {
      const person = await Person.signUp(app);
      const { code, verifier } = await codeOf(person.token);
      const end = ['UPDATE sessions SET ended_at = now() WHERE id = $1', person.sessionId] as const;
      const [answer] = await inTurnBehind(app, end, () => exchange(code, verifier));
      expect(answer).toMatchObject(INVALID_GRANT);
    });

    it.each(['ended_at', 'expires_at'])('is not issued in a session with its %s past', async (column) => {
      const { id: userId, sessionId, token } = await Person.signUp(app);
      const { id } = await client.request();
      await app.sql(`UPDATE sessions SET ${column} = now() WHERE id = $1`, [sessionId]);
      const decisions = app.app.get(DecisionService, { strict: false });
      const caller = { userId, sessionId, tenantId: null } as PersonPrincipal;
      await expect(decisions.approve(caller, id, undefined)).rejects.toMatchObject({
        code: 'unauthenticated',
      });
      expect((await client.read(id, token)).status).toBe(200);
    });

    it('gives a grant without the organization that the person has left since the decision', async () => {
      const organization = await Organization.found(app);
      const { person, token } = await organization.join('member');
      const { code, verifier } = await codeOf(token, { scope: 'openid tenant' });
      await organization.call('DELETE', `/members/${person.id}`);
      const { body } = await exchange(code, verifier);
      expect(decodeJwt(String(body['access_token']))).not.toHaveProperty('tid');
      const grants = 'SELECT tenant_id FROM grants WHERE session_id = $1 AND client_id = $2';
      expect(await app.sql(grants, [person.sessionId, client.clientId])).toEqual([{ tenant_id: null }]);
    });

    it('goes to one of two callers at once', async () => {
      const { code, verifier } = await codeOf();
      const answers = await Promise.all([exchange(code, verifier), exchange(code, verifier)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    });
  });

  describe('a refresh', () => {
    it('keeps the token of a confidential client, for twenty at once', async () => {
      const { refresh_token: token = '' } = await client.signIn(ada.token);
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => refreshTokenGrant(client.config, token)),
      );
      expect(new Set(answers.map(({ refresh_token: next }) => next))).toEqual(new Set([token]));
    });

    it('rotates that of a public client, takes a retry, and ends the session at a reuse', async () => {
      const person = await Person.signUp(app);
      const { refresh_token: first = '' } = await native.signIn(person.token, {
        redirect_uri: 'http://127.0.0.1/callback',
      });
      const { refresh_token: second = '' } = await refreshTokenGrant(native.config, first);
      expect(second).not.toBe(first);
      expect((await refreshTokenGrant(native.config, first)).refresh_token).toBe(second);
      await refreshTokenGrant(native.config, second);
      await expect(refreshTokenGrant(native.config, first)).rejects.toMatchObject({ error: 'invalid_grant' });
      expect((await app.get(ME, person.token)).status).toBe(401);
    });

    it('for scopes beyond the grant rotates nothing', async () => {
      const person = await Person.signUp(app);
      const redirect = { redirect_uri: 'http://127.0.0.1/callback' };
      const { refresh_token: token = '' } = await native.signIn(person.token, redirect);
      const generations = () =>
        app.sql('SELECT generation FROM grants WHERE account_id = $1 AND client_id = $2', [
          person.id,
          native.clientId,
        ]);
      const before = await generations();
      for (const scope of ['openid iam:tenant:read', 'email'])
        await expect(refreshTokenGrant(native.config, token, { scope })).rejects.toMatchObject({
          error: 'invalid_scope',
        });
      expect(await generations()).toEqual(before);
      expect((await refreshTokenGrant(native.config, token, { scope: 'openid' })).scope).toBe('openid');
    });

    it('is refused to another client, and without the secret', async () => {
      const { refresh_token: token = '' } = await client.signIn(ada.token);
      const form = { grant_type: 'refresh_token', refresh_token: token };
      expect(await stranger.post('/oauth2/token', form)).toMatchObject(INVALID_GRANT);
      for (const authorization of [
        null,
        'Basic x',
        `Basic ${Buffer.from(`${client.clientId}:ghs_x`).toString('base64')}`,
      ])
        expect(
          await client.post('/oauth2/token', { ...form, client_id: client.clientId }, authorization),
        ).toMatchObject({
          status: 401,
          body: { error: 'invalid_client' },
        });
      expect((await client.post('/oauth2/token', form)).status).toBe(200);
    });
  });

  describe('scopes', () => {
    it('limit a token to what was asked, at userinfo and at the API', async () => {
      const { owner, id } = await Organization.found(app);
      const reader = await RelyingParty.register(app, { scopes: ['iam:tenant:read', 'iam:member:read'] });
      const { access_token: bare } = await reader.signIn(owner.token, { scope: 'openid' });
      expect((await app.get('/oauth2/userinfo', bare)).body).toEqual({ sub: owner.person.id });
      expect(decodeJwt(bare)).not.toHaveProperty('tid');
      const asked = { scope: 'openid tenant iam:tenant:read iam:role:read unknown' };
      const { access_token: token, scope } = await reader.signIn(owner.token, asked);
      expect(scope).toBe('openid tenant iam:tenant:read');
      expect(decodeJwt(token)).toMatchObject({ tid: id, scope });
      expect((await app.get('/oauth2/userinfo', token)).body).toMatchObject({ tid: id, roles: ['owner'] });
      expect((await app.get(`/api/v1/iam/tenants/${id}`, token)).status).toBe(200);
      // Registered and held, but not asked for.
      expect((await app.get(`/api/v1/iam/tenants/${id}/members`, token)).body).toMatchObject({
        status: 403,
        code: 'scope_not_held',
      });
    });

    it('are not allowed by a token of another client', async () => {
      const { access_token: other } = await client.signIn(ada.token);
      await stranger.signIn(ada.token);
      const { id } = await stranger.request();
      expect((await stranger.read(id, ada.token)).body['needsConsent']).toBe(false);
      expect((await stranger.read(id, other)).body['needsConsent']).toBe(true);
      expect((await stranger.approve(id, other)).status).toBe(403);
    });

    it('are asked of the person once for a third party, and again for more of them', async () => {
      const person = await Person.signUp(app);
      const first = await stranger.request({ scope: 'openid email' });
      expect((await stranger.read(first.id, person.token)).body).toMatchObject({ needsConsent: true });
      await stranger.approve(first.id, person.token);
      const again = await stranger.request({ scope: 'openid email' });
      expect((await stranger.read(again.id, person.token)).body).toMatchObject({ needsConsent: false });
      expect((await stranger.read(again.id)).body).toMatchObject({ needsConsent: true });
      const more = await stranger.request({ scope: 'openid email profile' });
      expect((await stranger.read(more.id, person.token)).body).toMatchObject({ needsConsent: true });
      const asked = await stranger.request({ scope: 'openid', prompt: 'consent' });
      expect((await stranger.read(asked.id, person.token)).body).toMatchObject({ needsConsent: true });
    });

    it('are kept for the scopes of all sign-ins', async () => {
      const { token } = await Person.signUp(app);
      await stranger.signIn(token, { scope: 'openid profile' });
      await stranger.signIn(token, { scope: 'openid email' });
      for (const scope of ['openid profile', 'openid email', 'openid profile email'])
        await stranger.signIn(token, { scope, prompt: 'none' });
    });

    it('are withdrawn by the person: the tokens of the app end, and it has to ask again', async () => {
      const person = await Person.signUp(app);
      const tokens = await stranger.signIn(person.token);
      const apps = '/api/v1/iam/me/authorized-apps';
      expect(itemsOf(await app.get(apps, person.token))).toEqual([
        {
          id: expect.any(String),
          clientId: stranger.clientId,
          name: 'Help centre',
          logoUri: null,
          logoUrl: null,
          apis: [],
          scopes: ['email', 'openid', 'profile'],
          memberConsent: false,
          grantedAt: expect.any(String),
          lastUsedAt: expect.any(String),
        },
      ]);
      const withdraw = (token: string) =>
        app.call('DELETE', `${apps}/${stranger.clientId}`, undefined, { token });
      expect((await withdraw((await Person.signUp(app)).token)).status).toBe(404);
      expect((await app.get('/oauth2/userinfo', tokens.access_token)).status).toBe(200);
      expect((await withdraw(person.token)).status).toBe(204);
      expect((await app.get('/oauth2/userinfo', tokens.access_token)).status).toBe(401);
      await expect(refreshTokenGrant(stranger.config, String(tokens.refresh_token))).rejects.toMatchObject({
        error: 'invalid_grant',
      });
      const { id } = await stranger.request();
      expect((await stranger.read(id, person.token)).body).toMatchObject({ needsConsent: true });
      expect((await app.get(ME, person.token)).status).toBe(200);
    });

    it('are withdrawn with the codes that the app has not redeemed yet', async () => {
      const person = await Person.signUp(app);
      const request = await stranger.request();
      const { body } = await stranger.approve(request.id, person.token);
      const path = `/api/v1/iam/me/authorized-apps/${stranger.clientId}`;
      expect((await app.call('DELETE', path, undefined, { token: person.token })).status).toBe(204);
      await expect(stranger.redeem(String(body['redirectTo']), request)).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    });

    it('are listed by pages', async () => {
      const person = await Person.signUp(app);
      const register = () => RelyingParty.register(app, { firstParty: false });
      const parties = [stranger, await register(), await register()];
      for (const rp of parties) await rp.signIn(person.token);
      const ids = parties.map(({ clientId }) => clientId);
      const list = async (query: string) =>
        (await app.get(`${ME}/authorized-apps?limit=2${query}`, person.token)).body;
      const first = await list('');
      expect(first['items']).toMatchObject(ids.slice(0, 2).map((clientId) => ({ clientId })));
      expect(await list(`&cursor=${String(first['nextCursor'])}`)).toMatchObject({
        items: [{ clientId: ids[2] }],
        nextCursor: null,
      });
    });

    it.each<Record<string, string>>([{ prompt: 'none' }, {}])(
      'are not given again by %j while they are withdrawn, and given for less or to another app',
      async (prompt) => {
        const person = await Person.signUp(app);
        await stranger.signIn(person.token);
        await (await RelyingParty.register(app, { firstParty: false })).signIn(person.token);
        const request = await stranger.request(prompt);
        const consents = app.app.get(ConsentRepository, { strict: false });
        const { covers } = consents;
        jest.spyOn(consents, 'covers').mockImplementationOnce(async (...of) => {
          const covered = await covers.apply(consents, of);
          const path = `/api/v1/iam/me/authorized-apps/${stranger.clientId}`;
          await app.call('DELETE', path, undefined, { token: person.token });
          await consents.add(person.id as UserId, stranger.clientId, ['openid']);
          return covered;
        });
        const { status, body } = await stranger.approve(request.id, person.token);
        if ('prompt' in prompt) expect(errorOf(String(body['redirectTo']))).toBe('consent_required');
        else expect(status).toBe(404);
        const of = [person.id, stranger.clientId];
        const given = 'FROM oidc_consents WHERE account_id = $1 AND client_id = $2';
        expect(await app.sql(`SELECT scopes ${given}`, of)).toEqual([{ scopes: ['openid'] }]);
        const codes = 'SELECT 1 FROM one_time_codes WHERE account_id = $1 AND client_id = $2';
        expect(await app.sql(codes, of)).toEqual([]);
      },
    );

    it('open nothing that is open to every signed-in person: userinfo alone', async () => {
      const { access_token: token } = await client.signIn(ada.token, { scope: 'openid' });
      expect((await app.get(ME, token)).status).toBe(403);
      expect((await app.post('logout', undefined, { token })).status).toBe(403);
      expect((await app.get('/oauth2/userinfo', ada.token)).status).toBe(403);
      expect((await app.get(ME, ada.token)).status).toBe(200);
    });
  });

  it('names the organization of a grant to a client alone that asked for it', async () => {
    const { owner, id } = await Organization.found(app);
    const rp = await RelyingParty.register(app, { scopes: ['iam:tenant:read'] });
    const read = async (scope: string) => {
      const tokens = await rp.signIn(owner.token, { scope });
      expect(decodeJwt(tokens.access_token)['tid']).toBe(id);
      const about = await fetchUserInfo(rp.config, tokens.access_token, owner.person.id);
      return [tokens.claims()?.['tid'], about['tid']];
    };
    expect(await read('openid iam:tenant:read')).toEqual([undefined, undefined]);
    expect(await read('openid iam:tenant:read tenant')).toEqual([id, id]);
  });

  it('asks for a proof of the own of a person for whom only a connection has vouched', async () => {
    const person = await Person.signUp(app);
    const sql =
      "UPDATE sessions SET vouched_by = '{01K3V9D7Q8Z4X5N6M7P8R9S0T1}', own_proof = false WHERE account_id = $1";
    await app.sql(sql, [person.id]);
    const { body } = await app.post('refresh', { refreshToken: person.refreshToken });
    const { id } = await client.request({ scope: 'openid' });
    expect(await client.approve(id, String(body['accessToken']))).toMatchObject({
      status: 401,
      body: { missing: ['own_proof'], methods: ['password'] },
    });
  });

  it('names an organization that vouched for the person to the client that works there alone', async () => {
    const { owner, id } = await Organization.found(app);
    const { id: other } = await Organization.found(app, owner.person);
    await app.sql('UPDATE sessions SET vouched_by = $2, own_proof = true WHERE account_id = $1', [
      owner.person.id,
      [id, other],
    ]);
    const { token } = owner.person;
    expect(decodeJwt((await client.signIn(token)).access_token)).not.toHaveProperty('vouched_by');
    const asked = await client.signIn(token, { scope: 'openid tenant' }, { tenantId: id });
    expect(decodeJwt(asked.access_token)).toMatchObject({ tid: id, vouched_by: [id] });
  });

  it.each(['token', 'par', 'revoke', 'introspect'])('answers %s in the form of OAuth', async (name) => {
    const response = await fetch(`${app.url}/oauth2/${name}`, { method: 'POST' });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.has('x-ratelimit-remaining')).toBe(true);
    expect(await response.json()).toEqual({
      error: name === 'token' ? 'invalid_request' : 'invalid_client',
      error_description: expect.any(String),
    });
  });

  it.each<[string, Record<string, string>]>([
    ['token', { grant_type: 'authorization_code', code: 'x', redirect_uri: 'a\0b' }],
    ['token', { grant_type: 'refresh_token', refresh_token: 'x', client_id: 'a\0b' }],
    ['par', { client_id: 'a\0b' }],
    ['revoke', { client_id: 'a\0b', client_secret: 'x' }],
    ['introspect', { client_id: 'a\0b' }],
    ['device_authorization', { client_id: 'a\0b' }],
  ])('answers %s in the form of OAuth also to a text that cannot be stored', async (name, form) => {
    const authorization = 'client_id' in form ? null : client.authorization;
    expect(await client.post(`/oauth2/${name}`, form, authorization)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.any(String) },
    });
  });

  it('selects an organization for its members only, at the decision', async () => {
    const foreign = await Organization.found(app);
    const reader = await RelyingParty.register(app, { scopes: ['iam:tenant:read'] });
    const request = await reader.request({ scope: 'openid tenant iam:tenant:read' });
    for (const tenantId of [foreign.id, ada.id]) {
      const { status, body } = await reader.approve(request.id, ada.token, { tenantId });
      expect([status, body['type']]).toEqual([403, '/errors/not-a-member']);
    }
    const asked = { scope: 'openid tenant iam:tenant:read' };
    const tokens = await reader.signIn(foreign.owner.person.token, asked, { tenantId: foreign.id });
    expect(tokens.claims()).toMatchObject({ tid: foreign.id });
  });

  describe('a third party', () => {
    const subOf = async (rp: RelyingParty, token: string) => (await rp.signIn(token)).claims()?.sub ?? '';

    it('knows a person by an identifier of its own, in each answer', async () => {
      const person = await Person.signUp(app);
      const tokens = await stranger.signIn(person.token);
      const sub = tokens.claims()?.sub ?? '';
      expect(sub).toMatch(/^[\w-]{43}$/);
      expect(await fetchUserInfo(stranger.config, tokens.access_token, sub)).toMatchObject({ sub });
      for (const token of [tokens.access_token, String(tokens.refresh_token)])
        expect((await stranger.post('/oauth2/introspect', { token })).body).toMatchObject({
          active: true,
          sub,
        });
      expect(decodeJwt(tokens.access_token).sub).toBe(sub);
      for (const token of [tokens.access_token, String(tokens.id_token)])
        expect(JSON.stringify(decodeJwt(token))).not.toContain(person.id);
      const refreshed = await refreshTokenGrant(stranger.config, String(tokens.refresh_token));
      expect(refreshed.claims()?.sub).toBe(sub);
    });

    it('keeps the first identifier of a person of two that are made at once', async () => {
      const { id } = await Person.signUp(app);
      const client = await app.app.get(ClientService, { strict: false }).findEnabled(stranger.clientId);
      const subjects = app.app.get(Subjects, { strict: false });
      const first = await subjects.find(client as never, id as never);
      // As the other request, which has looked before the first one was stored.
      jest.spyOn(app.app.get(SubjectRepository, { strict: false }), 'find').mockResolvedValueOnce(null);
      expect(await subjects.find(client as never, id as never)).toBe(first);
    });

    it('shares it with the clients of its host alone, whatever happens to its addresses', async () => {
      const person = await Person.signUp(app);
      const at = (uri: string) => ({ firstParty: false, redirectUris: [uri] });
      const first = await RelyingParty.register(app, at('https://shop.example/a'));
      const same = await RelyingParty.register(app, at('https://shop.example/b'));
      const other = await RelyingParty.register(app, at('https://other.example/a'));
      const device = { type: 'public' as const, ...at('http://127.0.0.1/a') };
      const natives = [await RelyingParty.register(app, device), await RelyingParty.register(app, device)];
      const sub = await subOf(first, person.token);
      expect(await subOf(same, person.token)).toBe(sub);
      const others = [other, ...natives].map((rp) => subOf(rp, person.token));
      expect(new Set([sub, ...(await Promise.all(others))]).size).toBe(4);
      expect(await subOf(first, (await Person.signUp(app)).token)).not.toBe(sub);
      await app.app.get(ClientService, { strict: false }).update(null, first.clientId, {
        redirectUris: [first.redirectUri, 'https://new.example/a'],
      });
      expect(await subOf(first, (await Person.again(person)).token)).toBe(sub);
    });

    it('learns no other identifier by the API, which does not refresh its tokens', async () => {
      const { refresh_token: refreshToken = '' } = await stranger.signIn(ada.token);
      const { clientId, clientSecret } = stranger;
      expect(await app.post('refresh', { refreshToken, clientId, clientSecret })).toMatchObject({
        status: 401,
        body: { type: '/errors/invalid-client' },
      });
      const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
      expect((await stranger.post('/oauth2/token', form)).status).toBe(200);
    });

    it('can name the person by it in a hint, and gets the same for sign-ins at once', async () => {
      const person = await Person.signUp(app);
      const all = await Promise.all([1, 2, 3].map(() => stranger.signIn(person.token)));
      expect(new Set(all.map((tokens) => tokens.claims()?.sub)).size).toBe(1);
      const hint = String(all[0]?.id_token);
      const request = await stranger.request({ id_token_hint: hint });
      expect((await stranger.approve(request.id, person.token)).body['redirectTo']).toMatch(/code=/);
      const foreign = await stranger.request({ id_token_hint: hint });
      const { body } = await stranger.approve(foreign.id, ada.token);
      expect(errorOf(String(body['redirectTo']))).toBe('login_required');
      await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token });
      expect(await app.sql('SELECT 1 FROM oidc_subjects WHERE account_id = $1', [person.id])).toEqual([]);
    });
  });

  describe('prompt, max_age and hints', () => {
    it('answers prompt=none without a question', async () => {
      const unsigned = await client.request({ prompt: 'none' });
      expect(errorOf(String((await client.deny(unsigned.id)).body['redirectTo']))).toBe('login_required');
      const person = await Person.signUp(app);
      const unasked = await stranger.request({ prompt: 'none' });
      const { body } = await stranger.approve(unasked.id, person.token);
      expect(errorOf(String(body['redirectTo']))).toBe('consent_required');
      const signedIn = await client.request({ prompt: 'none' });
      const approved = await client.approve(signedIn.id, person.token);
      expect(new URL(String(approved.body['redirectTo'])).searchParams.has('code')).toBe(true);
    });

    it('asks for a step-up where the sign-in is too old or too weak, and keeps the session', async () => {
      const weak = await client.request({ acr_values: 'aal2' });
      expect(await client.approve(weak.id, ada.token)).toMatchObject({
        status: 401,
        body: { code: 'authentication_insufficient', acr: 'aal2' },
      });
      const person = await Person.signUp(app);
      const { accessToken: old } = await signedInAgo(app, person, 120);
      const request = await client.request({ max_age: '60' });
      expect(await client.approve(request.id, old)).toMatchObject({ status: 401, body: { maxAge: 60 } });
      const login = await client.request({ prompt: 'login' });
      expect((await client.approve(login.id, old)).status).toBe(401);
      const none = await client.request({ prompt: 'none', max_age: '60' });
      const { body } = await client.approve(none.id, old);
      expect(errorOf(String(body['redirectTo']))).toBe('login_required');
      const stepped = await app.post(
        'step-up',
        { method: 'password', password: person.password },
        { token: old },
      );
      expect((await client.approve(login.id, String(stepped.body['accessToken']))).status).toBe(200);
    });

    it('takes a sign-in from after the request, also with max_age=0', async () => {
      const person = await Person.signUp(app);
      const { accessToken: old } = await signedInAgo(app, person, 120);
      const request = await client.request({ max_age: '0' });
      expect((await client.approve(request.id, old)).status).toBe(401);
      const proof = { method: 'password', password: person.password };
      const { body } = await app.post('step-up', proof, { token: old });
      const fresh = String(body['accessToken']);
      expect((await client.approve(request.id, fresh)).status).toBe(200);
      const silent = await client.request({ prompt: 'none', max_age: '0' });
      const answer = await client.approve(silent.id, old);
      expect(errorOf(String(answer.body['redirectTo']))).toBe('login_required');
      const late = await client.request({ max_age: '0' });
      await app.sql("UPDATE oidc_requests SET created_at = created_at - interval '10 minutes'");
      expect((await client.approve(late.id, old)).status).toBe(401);
    });

    it('refuses another person than id_token_hint names', async () => {
      const { id_token: hint = '' } = await client.signIn(ada.token);
      const request = await client.request({ id_token_hint: hint });
      const { body } = await client.approve(request.id, (await Person.signUp(app)).token);
      expect(errorOf(String(body['redirectTo']))).toBe('login_required');
      const forged = `${hint.slice(0, -4)}AAAA`;
      const { id_token: foreign = '' } = await stranger.signIn(ada.token);
      for (const wrong of [forged, foreign])
        expect(errorOf(await client.open((await client.depart({ id_token_hint: wrong })).url))).toBe(
          'invalid_request',
        );
    });
  });

  describe('a bad request', () => {
    it.each([
      ['response_type', 'token', 'unsupported_response_type'],
      ['response_type', 'code id_token', 'unsupported_response_type'],
      ['response_mode', 'web_message', 'invalid_request'],
      ['request', 'eyJhbGciOiJub25lIn0.e30.', 'request_not_supported'],
      ['request_uri', 'https://rp.example/request', 'request_uri_not_supported'],
      ['registration', '{}', 'registration_not_supported'],
      ['claims', '{"id_token":{"sub":{"value":"x"}}}', 'invalid_request'],
      ['claims', '{"userinfo":{"email":null,"sub":{"essential":true,"values":["x"]}}}', 'invalid_request'],
      ['claims', '[]', 'invalid_request'],
      ['claims', '{', 'invalid_request'],
      ['claims', `{"userinfo":{"${'x'.repeat(2_048)}":null}}`, 'invalid_request'],
      ['code_challenge_method', 'plain', 'invalid_request'],
      ['code_challenge', 'short', 'invalid_request'],
      ['scope', 'profile', 'invalid_scope'],
      ['prompt', 'none login', 'invalid_request'],
      ['prompt', 'create', 'invalid_request'],
      ['max_age', '-1', 'invalid_request'],
      ['max_age', '2147483648', 'invalid_request'],
      ['nonce', 'x'.repeat(2_049), 'invalid_request'],
    ])('with %s=%s goes back with %s', async (name, value, error) => {
      const { url, state } = await client.depart({ [name]: value });
      const back = await client.open(url);
      expect(back.href.startsWith(`${client.redirectUri}?`)).toBe(true);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error,
        state,
        iss: 'http://gatehouse.test',
      });
    });

    it('without PKCE goes back with invalid_request', async () => {
      const { url } = await client.depart();
      url.searchParams.delete('code_challenge');
      expect(errorOf(await client.open(url))).toBe('invalid_request');
    });

    it.each([
      'https://attacker.example/callback',
      'REDIRECT/',
      'REDIRECT?x=1',
      'REDIRECT#fragment',
      'REDIRECT/../callback',
      'REDIRECT%2f',
      'http:REST',
      'HTTPS:REST',
      'https://attacker.example@HOST/callback',
      'https://HOST.attacker.example/callback',
      'https://HOST:443/callback',
      'https://HOST/CALLBACK',
      ' REDIRECT',
      'REDIRECT ',
      'javascript:alert(1)',
      '//HOST/callback',
      '/callback',
      '',
    ])('with the redirect URI "%s" is a page, and no redirect', async (trap) => {
      const { host } = new URL(client.redirectUri);
      const value = trap
        .replace('REDIRECT', client.redirectUri)
        .replace('REST', client.redirectUri.slice('https:'.length))
        .replace('HOST', host);
      const { url } = await client.depart({ redirect_uri: value });
      const response = await fetch(url.href.replace('http://gatehouse.test', app.url), {
        redirect: 'manual',
      });
      expect(response.status).toBe(400);
      expect(response.headers.has('location')).toBe(false);
    });

    it('with a repeated parameter, or an unknown client, is a page', async () => {
      const { url } = await client.depart();
      url.searchParams.append('scope', 'openid');
      await expect(client.open(url)).rejects.toThrow('400');
      const unknown = await client.depart({ client_id: 'unknown-client' });
      await expect(client.open(unknown.url)).rejects.toThrow('400');
    });

    it.each([
      ['client_id', 'unknown-client', 'Die App ist hier nicht registriert'],
      ['redirect_uri', 'https://trap.example/callback', 'Die Adresse, zu der die App zurückführt'],
      ['request_uri', 'urn:ietf:params:oauth:request_uri:spent-one', 'Die Anfrage der App ist unbekannt'],
    ])(
      'with an unknown %s tells the person what to do, and repeats no parameter',
      async (name, value, lead) => {
        const { url } = await client.depart({ [name]: value });
        const response = await fetch(url.href.replace('http://gatehouse.test', app.url), {
          redirect: 'manual',
          headers: { accept: 'text/html', 'accept-language': 'de' },
        });
        expect(response.status).toBe(400);
        const page = await response.text();
        expect(page).toContain('<h1>Diese App kann Sie nicht anmelden</h1>');
        expect(page).toContain(lead);
        expect(page).toContain('die die App betreiben');
        expect(page).toContain(`<code>${name}: `); // for them
        for (const parameter of url.searchParams.values()) {
          if (parameter.length > 8) expect(page).not.toContain(parameter);
        }
      },
    );
  });

  describe('a pushed request', () => {
    const pushed = async (rp: RelyingParty) => {
      const departure = await rp.depart();
      const { status, body } = await rp.post('/oauth2/par', Object.fromEntries(departure.url.searchParams));
      expect(status).toBe(201);
      const url = new URL('/oauth2/authorize', departure.url);
      url.search = new URLSearchParams({
        client_id: rp.clientId,
        request_uri: String(body['request_uri']),
      }).toString();
      return { ...departure, url };
    };

    it('is brought by the browser once, within a minute, for its client', async () => {
      const strict = await RelyingParty.register(app, { requirePar: true });
      expect(errorOf(await strict.open((await strict.depart()).url))).toBe('invalid_request');
      const departure = await pushed(strict);
      const stolen = new URL(departure.url);
      stolen.searchParams.set('client_id', client.clientId);
      await expect(strict.open(stolen)).rejects.toThrow('400');
      const [, pushedId = ''] =
        /:([\w-]{43})$/.exec(departure.url.searchParams.get('request_uri') ?? '') ?? [];
      expect(pushedId).not.toBe('');
      expect((await strict.read(pushedId)).status).toBe(404);
      const page = await strict.open(departure.url);
      await expect(strict.open(departure.url)).rejects.toThrow('400');
      // Nor does the id of a request that waits for the person count as pushed.
      const waiting = new URL(departure.url);
      const urn = `urn:ietf:params:oauth:request_uri:${page.searchParams.get('request')}`;
      waiting.searchParams.set('request_uri', urn);
      await expect(strict.open(waiting)).rejects.toThrow('400');
      const { body } = await strict.approve(page.searchParams.get('request') ?? '', ada.token);
      expect((await strict.redeem(String(body['redirectTo']), departure)).claims()).toMatchObject({
        sub: ada.id,
      });
      const late = await pushed(strict);
      await app.sql("UPDATE oidc_requests SET expires_at = now() - interval '1 second'");
      await expect(strict.open(late.url)).rejects.toThrow('400');
    });

    it('waits for the browser for a minute, and then for the person for ten', async () => {
      const { url } = await client.depart();
      const { body } = await client.post('/oauth2/par', Object.fromEntries(url.searchParams));
      expect(body['expires_in']).toBe(60);
      const seconds = async () =>
        (
          await app.sql(
            'SELECT extract(epoch FROM expires_at - created_at)::int AS seconds FROM oidc_requests WHERE client_id = $1 ORDER BY created_at DESC LIMIT 1',
            [client.clientId],
          )
        )[0]?.['seconds'];
      expect(await seconds()).toBe(60);
      await client.request();
      expect(await seconds()).toBe(600);
    });

    it('is refused without the secret, and with a fault', async () => {
      const good = Object.fromEntries((await client.depart()).url.searchParams);
      for (const [name, value] of [
        ['request_uri', 'urn:ietf:params:oauth:request_uri:x'],
        ['redirect_uri', stranger.redirectUri],
      ] as const)
        expect(await client.post('/oauth2/par', { ...good, [name]: value })).toMatchObject({
          status: 400,
          body: { error: 'invalid_request' },
        });
      const { url } = await client.depart({ response_type: 'token' });
      const form = Object.fromEntries(url.searchParams);
      expect(await client.post('/oauth2/par', form)).toMatchObject({
        body: { error: 'unsupported_response_type' },
      });
      expect(await client.post('/oauth2/par', form, null)).toMatchObject({ status: 401 });
    });
  });

  describe('revocation and introspection', () => {
    it('end a grant by either token, and tell its client alone what is active', async () => {
      for (const kind of ['access_token', 'refresh_token'] as const) {
        const tokens = await client.signIn(ada.token);
        const token = String(tokens[kind]);
        expect((await client.post('/oauth2/introspect', { token })).body).toMatchObject({
          active: true,
          client_id: client.clientId,
          sub: ada.id,
          sid: ada.sessionId,
          scope: 'openid profile email',
        });
        expect((await stranger.post('/oauth2/introspect', { token })).body).toEqual({ active: false });
        expect((await stranger.post('/oauth2/revoke', { token })).status).toBe(200);
        expect((await client.post('/oauth2/introspect', { token })).body).toMatchObject({ active: true });
        expect((await client.post('/oauth2/revoke', { token })).status).toBe(200);
        for (const revoked of [tokens.access_token, String(tokens.refresh_token)])
          expect((await client.post('/oauth2/introspect', { token: revoked })).body).toEqual({
            active: false,
          });
      }
      expect((await app.get(ME, ada.token)).status).toBe(200);
      expect((await client.post('/oauth2/revoke', { token: 'unknown' })).status).toBe(200);
      expect(await client.post('/oauth2/introspect', { token: ada.token })).toMatchObject({
        body: { active: false },
      });
      expect((await client.post('/oauth2/introspect', { token: 'x' }, null)).status).toBe(401);
      const ofPublic = { token: 'x', client_id: native.clientId };
      expect(await native.post('/oauth2/introspect', ofPublic, null)).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      });
    });
  });

  describe('discovery', () => {
    it('publishes the same document by both names, and the keys of ID tokens', async () => {
      const openId = await app.get('/.well-known/openid-configuration');
      expect((await app.get('/.well-known/oauth-authorization-server')).body).toEqual(openId.body);
      await client.signIn(ada.token);
      const { keys } = (await app.get('/.well-known/jwks.json')).body as unknown as {
        keys: { alg: string; n?: string }[];
      };
      const rsa = keys.find(({ alg }) => alg === 'RS256');
      expect(Buffer.from(rsa?.n ?? '', 'base64url')).toHaveLength(384);
      expect(keys.map(({ alg }) => alg)).toContain('ES256');
    });

    it('names the languages of the pages, and the claims that a client can get', async () => {
      const { body } = await app.get('/.well-known/openid-configuration');
      const listed = body as unknown as Record<string, string[]>;
      const languages = readdirSync('portal/src/messages').flatMap(
        (name) => /^(\w+)\.json$/.exec(name)?.[1] ?? [],
      );
      expect([...(listed['ui_locales_supported'] ?? [])].sort()).toEqual(languages.sort());
      const acme = await Organization.found(app);
      const owner = acme.owner.person;
      await app.call(
        'PATCH',
        ME,
        { firstName: 'Ada', lastName: 'King', locale: 'de' },
        { token: owner.token },
      );
      const redirectUri = 'https://grafana.example/callback';
      const made = await acme.call('POST', '/clients', { name: 'Dashboards', redirectUris: [redirectUri] });
      const [clientId, clientSecret] = [String(made.body['clientId']), String(made.body['clientSecret'])];
      const own = await RelyingParty.of(app, { clientId, clientSecret, redirectUri });
      const tokens = await own.signIn(owner.token, { scope: 'openid profile email tenant' });
      const claims = { ...tokens.claims() };
      const about = await fetchUserInfo(own.config, tokens.access_token, String(claims.sub));
      const given = new Set([...Object.keys(claims), ...Object.keys(about)]);
      for (const ofEachToken of ['iss', 'aud', 'exp', 'iat', 'at_hash']) given.delete(ofEachToken);
      expect([...given].sort()).toEqual([...(listed['claims_supported'] ?? [])].sort());
    });

    it('names what works, and nothing else does', async () => {
      const { body } = await app.get('/.well-known/openid-configuration');
      const metadata = body as unknown as Record<string, string[] | undefined>;
      const listed = (name: string) => metadata[name] ?? [`no ${name}`];
      const known = async (grantType: string) =>
        (await client.post('/oauth2/token', { grant_type: grantType })).body['error'] !==
        'unsupported_grant_type';
      for (const grantType of listed('grant_types_supported'))
        expect([grantType, await known(grantType)]).toEqual([grantType, true]);
      for (const grantType of ['password', 'implicit', 'urn:ietf:params:oauth:grant-type:saml2-bearer', 'x'])
        expect([grantType, await known(grantType)]).toEqual([grantType, false]);
      const accepted = async (name: string, value: string) =>
        (await client.open((await client.depart({ [name]: value })).url)).pathname === '/authorize';
      for (const [name, list, others] of [
        ['response_type', 'response_types_supported', ['token', 'id_token', 'code id_token', 'none']],
        ['response_mode', 'response_modes_supported', ['web_message', 'jwt']],
        ['prompt', 'prompt_values_supported', ['create', 'x']],
        ['code_challenge_method', 'code_challenge_methods_supported', ['plain', 'S512']],
      ] as const) {
        for (const value of listed(list))
          expect([name, value, await accepted(name, value)]).toEqual([name, value, true]);
        for (const value of others)
          expect([name, value, await accepted(name, value)]).toEqual([name, value, false]);
      }
      const { id } = await client.request({ scope: listed('scopes_supported').join(' ') });
      expect((await client.read(id)).body['scopes']).toEqual(listed('scopes_supported'));
      for (const acr of listed('acr_values_supported')) {
        const asked = await client.request({ acr_values: acr });
        expect((await client.read(asked.id)).body['acr']).toBe(acr);
      }
      // RFC 8414 section 2: required next to private_key_jwt.
      for (const name of ['token', 'revocation', 'introspection']) {
        expect(listed(`${name}_endpoint_auth_methods_supported`)).toContain('private_key_jwt');
        expect(listed(`${name}_endpoint_auth_signing_alg_values_supported`)).toContain('ES256');
      }
      const endpoints = Object.entries(body).filter(([name]) => /_endpoint$|^jwks_uri$/.test(name));
      for (const [name, address] of endpoints) {
        const url = String(address).replace('http://gatehouse.test', app.url);
        const answers = await Promise.all(
          ['GET', 'POST'].map((method) => fetch(url, { method, redirect: 'manual' })),
        );
        expect([name, answers.some(({ status }) => status !== 404 && status !== 405)]).toEqual([name, true]);
      }
    });
  });

  it.each(['private_key_jwt', 'DPoP'])(
    'takes the algorithms of %s that discovery names, and no others',
    async (use) => {
      const { body } = await app.get('/.well-known/openid-configuration');
      const metadata = body as unknown as Record<string, string[] | undefined>;
      const name = use === 'DPoP' ? 'dpop_signing_alg' : 'token_endpoint_auth_signing_alg';
      const listed = metadata[`${name}_values_supported`] ?? [];
      expect(listed).toContain('ES256');
      const all = 'ES256 ES384 ES512 EdDSA Ed25519 RS256 RS384 RS512 PS256 PS384 PS512'.split(' ');
      expect(all).toEqual(expect.arrayContaining(listed));
      const url = `${app.url}/oauth2/token`;
      const accepted: string[] = [];
      for (const alg of all) {
        const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
        const jwk = await exportJWK(publicKey);
        const sign = (claims: object, header: object = {}) =>
          new SignJWT({ jti: randomUUID(), ...claims })
            .setProtectedHeader({ alg, ...header })
            .setIssuedAt()
            .setExpirationTime('1m')
            .sign(privateKey);
        const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x' });
        const headers = new Headers({ authorization: client.authorization });
        if (use === 'DPoP') {
          const prove = (nonce?: string) =>
            sign({ htm: 'POST', htu: 'http://gatehouse.test/oauth2/token', nonce }, { typ: 'dpop+jwt', jwk });
          headers.set('dpop', await prove());
          const first = await fetch(url, { method: 'POST', headers, body: form });
          headers.set('dpop', await prove(first.headers.get('dpop-nonce') ?? ''));
        } else {
          const signer = await RelyingParty.register(
            app,
            { tokenEndpointAuthMethod: 'private_key_jwt', jwks: { keys: [jwk] } },
            PrivateKeyJwt(privateKey),
          ).catch(() => null);
          if (!signer) continue; // no key of this kind
          const { clientId } = signer;
          headers.delete('authorization');
          form.set('client_assertion_type', 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer');
          const claims = { iss: clientId, sub: clientId, aud: 'http://gatehouse.test' };
          form.set('client_assertion', await sign(claims));
        }
        const answer = await fetch(url, { method: 'POST', headers, body: form });
        const { error } = (await answer.json()) as { error: string };
        if (error === 'invalid_grant') accepted.push(alg);
      }
      expect(accepted.sort()).toEqual([...listed].sort());
    },
  );

  it('rotates the keys of ID tokens, and publishes the one before for a day', async () => {
    const jwks = async () => createLocalJWKSet((await app.get('/.well-known/jwks.json')).body as never);
    const { id_token: before = '' } = await client.signIn(ada.token);
    const keys = app.app.get(RsaKeys, { strict: false });
    await keys.rotate();
    const { id_token: published = '' } = await client.signIn(ada.token);
    expect(decodeProtectedHeader(published).kid).toBe(decodeProtectedHeader(before).kid);
    await keys.rotate(0);
    const { id_token: after = '' } = await client.signIn(ada.token);
    expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
    for (const token of [before, published, after]) await jwtVerify(token, await jwks());
    const kids = () => app.sql('SELECT kid FROM id_token_keys');
    await keys.deleteRetiredKeys();
    expect(await kids()).toHaveLength(3);
    await age(app, 'id_token_keys', 86_401);
    await keys.deleteRetiredKeys();
    expect((await kids()).length).toBeLessThan(3);
  });

  it('names no person after an erasure', async () => {
    const person = await Person.signUp(app);
    await stranger.signIn(person.token);
    const { id_token: hint = '' } = await client.signIn(person.token);
    await client.request({ id_token_hint: hint });
    await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token });
    for (const table of ['oidc_requests', 'one_time_codes', 'oidc_consents', 'oidc_subjects', 'grants'])
      expect(JSON.stringify(await app.sql(`SELECT * FROM ${table}`))).not.toContain(person.id);
  });
});
