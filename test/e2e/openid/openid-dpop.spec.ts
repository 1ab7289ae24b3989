import { randomBytes } from 'node:crypto';
import { decodeJwt, exportJWK, type JWK, SignJWT } from 'jose';
import {
  authorizationCodeGrant,
  type DPoPHandle,
  fetchUserInfo,
  getDPoPHandle,
  refreshTokenGrant,
} from 'openid-client';
import { Organization, Person } from '../../support/organization.js';
import { hashOf, ProofKey } from '../../support/proof-key.js';
import { RelyingParty } from '../../support/relying-party.js';
import { eventually, TestApp, withApp } from '../../support/test-app.js';

const TOKEN = 'http://gatehouse.test/oauth2/token';
const USERINFO = 'http://gatehouse.test/oauth2/userinfo';

describe('Proofs of possession (DPoP, RFC 9449)', () => {
  const ROOT_SECRET = randomBytes(32).toString('base64');
  let ada: Person;
  let client: RelyingParty;
  let native: RelyingParty;
  let key: ProofKey;
  let thief: ProofKey;
  const app = withApp({ ROOT_SECRET });
  beforeAll(async () => {
    ada = await Person.signUp(app);
    client = await RelyingParty.register(app);
    native = await RelyingParty.register(app, { type: 'public' });
    [key, thief] = [await ProofKey.create(), await ProofKey.create()];
  });

  const handleOf = (rp: RelyingParty, proofKey = key): DPoPHandle => getDPoPHandle(rp.config, proofKey.keys);
  const signIn = async (rp: RelyingParty, parameters = {}, DPoP = handleOf(rp)) => {
    const request = await rp.request(parameters);
    const { body } = await rp.approve(request.id, ada.token);
    const { verifier: pkceCodeVerifier, state: expectedState, nonce: expectedNonce } = request;
    const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
    return authorizationCodeGrant(rp.config, new URL(String(body['redirectTo'])), checks, undefined, {
      DPoP,
    });
  };
  /** Posts to the token endpoint with these DPoP headers. */
  const post = async (rp: RelyingParty, form: Record<string, string>, ...proofs: string[]) => {
    const headers = new Headers();
    if (rp === client) headers.set('authorization', rp.authorization);
    for (const proof of proofs) headers.append('dpop', proof);
    const body = new URLSearchParams({ ...form, ...(rp !== client && { client_id: rp.clientId }) });
    const response = await fetch(`${app.url}/oauth2/token`, { method: 'POST', headers, body });
    const nonce = response.headers.get('dpop-nonce');
    return { status: response.status, body: (await response.json()) as Record<string, string>, nonce };
  };
  const nonce = async () => {
    const proof = await key.prove({ htm: 'POST', htu: TOKEN });
    return String((await post(client, { grant_type: 'refresh_token' }, proof)).nonce);
  };
  const userinfo = async (token: string, proof: string | null, scheme = 'DPoP') => {
    const headers = { authorization: `${scheme} ${token}`, ...(proof !== null && { dpop: proof }) };
    const response = await fetch(`${app.url}/oauth2/userinfo`, { headers });
    const { headers: sent, status } = response;
    return { status, challenge: sent.get('www-authenticate') ?? '', nonce: sent.get('dpop-nonce') };
  };
  const forUserinfo = (token: string, claims = {}, header = {}) =>
    key.prove({ htm: 'GET', htu: USERINFO, ath: hashOf(token), ...claims }, header);

  it('bind access and refresh token to the key of a client of other authors', async () => {
    const DPoP = handleOf(native);
    const tokens = await signIn(native, {}, DPoP);
    expect(tokens.token_type).toBe('dpop');
    expect(decodeJwt(tokens.access_token)).toMatchObject({ cnf: { jkt: key.jkt } });
    expect(await fetchUserInfo(native.config, tokens.access_token, ada.id, { DPoP })).toMatchObject({
      sub: ada.id,
    });
    const { refresh_token: refresh = '' } = tokens;
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => refreshTokenGrant(native.config, refresh, undefined, { DPoP })),
    );
    expect(new Set(answers.map(({ refresh_token: next }) => next))).toEqual(new Set([refresh]));
    for (const proof of [null, thief])
      await expect(
        refreshTokenGrant(
          native.config,
          refresh,
          undefined,
          proof ? { DPoP: handleOf(native, proof) } : undefined,
        ),
      ).rejects.toMatchObject({ error: 'invalid_grant' });
    expect((await app.get('/api/v1/iam/me', ada.token)).status).toBe(200); // no reuse, no end of the session
    expect((await refreshTokenGrant(native.config, refresh, undefined, { DPoP })).token_type).toBe('dpop');
  });

  it('bind the token of a service account, which its client proves at each request', async () => {
    const organization = await Organization.found(app);
    const path = '/service-accounts';
    const account = { name: 'Export', roles: ['admin'] };
    const accountId = String((await organization.call('POST', path, account)).body['id']);
    const given = { kind: 'secret' };
    const { body } = await organization.call('POST', `${path}/${accountId}/credentials`, given);
    const form = {
      grant_type: 'client_credentials',
      client_id: accountId,
      client_secret: String(body['clientSecret']),
    };
    const issue = async (proof: string) => {
      const headers = { dpop: proof };
      const request = { method: 'POST', headers, body: new URLSearchParams(form) };
      const response = await fetch(`${app.url}/oauth2/token`, request);
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    };
    const unproven = await issue(await key.prove({ htm: 'POST', htu: TOKEN }));
    expect(unproven).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } });
    const issued = await issue(await key.prove({ htm: 'POST', htu: TOKEN, nonce: await nonce() }));
    expect(issued).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
    const token = String(issued.body['access_token']);
    const members = `${organization.path}/members`;
    const read = async (proof: string | null, scheme = 'DPoP') => {
      const headers = { authorization: `${scheme} ${token}`, ...(proof !== null && { dpop: proof }) };
      return (await fetch(`${app.url}${members}`, { headers })).status;
    };
    const proven = { htm: 'GET', htu: `http://gatehouse.test${members}`, ath: hashOf(token) };
    expect(await read(await key.prove(proven))).toBe(200);
    expect(await read(await thief.prove(proven))).toBe(401);
    expect(await read(null)).toBe(401);
    expect(await read(null, 'Bearer')).toBe(401);
  });

  it('are shown to the client that asks for the state of a token', async () => {
    const tokens = await signIn(client);
    for (const token of [tokens.access_token, String(tokens.refresh_token)])
      expect((await client.post('/oauth2/introspect', { token })).body).toMatchObject({
        active: true,
        cnf: { jkt: key.jkt },
      });
    const plain = await client.signIn(ada.token);
    const { body } = await client.post('/oauth2/introspect', { token: plain.access_token });
    expect(body).not.toHaveProperty('cnf');
  });

  it('bind the refresh of a confidential client, too', async () => {
    const { refresh_token: refresh = '' } = await signIn(client);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    expect(await post(client, form)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    const proof = await thief.prove({ htm: 'POST', htu: TOKEN, nonce: await nonce() });
    expect(await post(client, form, proof)).toMatchObject({ body: { error: 'invalid_grant' } });
    const own = await key.prove({ htm: 'POST', htu: TOKEN, nonce: await nonce() });
    expect(await post(client, form, own)).toMatchObject({ status: 200, body: { token_type: 'DPoP' } });
  });

  it('bind the access token alone of a refresh whose grant is not bound', async () => {
    const { refresh_token: refresh = '' } = await client.signIn(ada.token);
    const form = { grant_type: 'refresh_token', refresh_token: refresh };
    const proof = await key.prove({ htm: 'POST', htu: TOKEN, nonce: await nonce() });
    const { body } = await post(client, form, proof);
    expect(decodeJwt(String(body['access_token']))).toMatchObject({ cnf: { jkt: key.jkt } });
    expect(await post(client, form)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
  });

  describe('at the API', () => {
    let token: string;
    beforeAll(async () => void (token = (await signIn(client)).access_token));

    it('are accepted once, by the key of the token', async () => {
      const proof = await forUserinfo(token);
      expect((await userinfo(token, proof)).status).toBe(200);
      expect(await userinfo(token, proof)).toMatchObject({
        status: 401,
        challenge: expect.stringMatching(/^DPoP realm="gatehouse", error="invalid_dpop_proof", algs="ES256 /),
      });
      const parallel = await forUserinfo(token);
      const answers = await Promise.all([1, 2, 3].map(() => userinfo(token, parallel)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    });

    it('are remembered for longer than they are accepted: clocks may differ by a minute each way', async () => {
      await app.sql('DELETE FROM used_assertions');
      expect((await userinfo(token, await forUserinfo(token))).status).toBe(200);
      const [{ seconds } = { seconds: 0 }] = await app.sql<{ seconds: number }>(
        'SELECT extract(epoch FROM expires_at - now())::int AS seconds FROM used_assertions',
      );
      expect(seconds).toBeGreaterThan(120);
    });

    it('are needed for a bound token, and refused for another', async () => {
      expect((await userinfo(token, null, 'Bearer')).status).toBe(401);
      expect((await userinfo(token, await forUserinfo(token), 'Bearer')).status).toBe(401);
      expect((await userinfo(token, null)).status).toBe(401);
      const stolen = await thief.prove({ htm: 'GET', htu: USERINFO, ath: hashOf(token) });
      expect((await userinfo(token, stolen)).status).toBe(401);
      const { access_token: plain } = await client.signIn(ada.token);
      expect((await userinfo(plain, await forUserinfo(plain))).status).toBe(401);
      expect((await userinfo(plain, null, 'Bearer')).status).toBe(200);
    });

    const now = () => Math.floor(Date.now() / 1_000);
    it.each<[string, () => object, object?]>([
      ['of another method', () => ({ htm: 'POST' })],
      ['of another address', () => ({ htu: `${USERINFO}/` })],
      ['of another host', () => ({ htu: 'http://attacker.example/oauth2/userinfo' })],
      ['of another access token', () => ({ ath: hashOf('other') })],
      ['without the access token', () => ({ ath: undefined })],
      ['that is old', () => ({ iat: now() - 61 })],
      ['of the future', () => ({ iat: now() + 65 })],
      ['without a time', () => ({ iat: undefined })],
      ['without an id', () => ({ jti: undefined })],
      ['with an endless id', () => ({ jti: 'x'.repeat(257) })],
      ['with a nonce that is not ours', () => ({ nonce: 'x' })],
      ['of another type', () => ({}), { typ: 'JWT' }],
      ['with another key in its header', () => ({}), { jwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } }],
    ])('are refused %s', async (_, changes, header = {}) => {
      expect((await userinfo(token, await forUserinfo(token, changes(), header))).status).toBe(401);
      expect((await userinfo(token, await forUserinfo(token))).status).toBe(200);
    });

    it('are told the nonce in place of an old one, which libraries have from the token endpoint', async () => {
      const old = await userinfo(token, await forUserinfo(token, { nonce: 'old' }));
      expect(old).toMatchObject({
        status: 401,
        challenge: expect.stringContaining('error="use_dpop_nonce"'),
      });
      expect((await userinfo(token, await forUserinfo(token, { nonce: old.nonce }))).status).toBe(200);
    });

    it('are refused with a private key, a symmetric one, without a signature, or twice', async () => {
      const secret = await exportJWK(key.keys.privateKey);
      expect((await userinfo(token, await forUserinfo(token, {}, { jwk: secret }))).status).toBe(401);
      const claims = { htm: 'GET', htu: USERINFO, ath: hashOf(token), jti: 'x', iat: now() };
      const shared = Buffer.alloc(32, 1);
      const symmetric = await new SignJWT(claims)
        .setProtectedHeader({
          alg: 'HS256',
          typ: 'dpop+jwt',
          jwk: { kty: 'oct', k: shared.toString('base64url') } as JWK,
        })
        .sign(shared);
      expect((await userinfo(token, symmetric)).status).toBe(401);
      const [header = '', payload = ''] = (await forUserinfo(token)).split('.');
      expect((await userinfo(token, `${header}.${payload}.`)).status).toBe(401);
      const two = `${await forUserinfo(token)}, ${await forUserinfo(token)}`;
      expect((await userinfo(token, two)).status).toBe(401);
    });

    it('end with the session, as all tokens', async () => {
      const person = await Person.signUp(app);
      const request = await client.request();
      const { body } = await client.approve(request.id, person.token);
      const code = new URL(String(body['redirectTo'])).searchParams.get('code') ?? '';
      const form = {
        grant_type: 'authorization_code',
        code,
        code_verifier: request.verifier,
        redirect_uri: client.redirectUri,
      };
      const proof = await key.prove({ htm: 'POST', htu: TOKEN, nonce: await nonce() });
      const bound = String((await post(client, form, proof)).body['access_token']);
      expect((await userinfo(bound, await forUserinfo(bound))).status).toBe(200);
      await app.post('logout', undefined, { token: person.token });
      expect((await userinfo(bound, await forUserinfo(bound))).status).toBe(401);
    });
  });

  describe('at the token endpoint', () => {
    it('must have a nonce of the service, which the answer tells', async () => {
      const form = { grant_type: 'refresh_token', refresh_token: 'x' };
      const without = await post(client, form, await key.prove({ htm: 'POST', htu: TOKEN }));
      expect(without).toMatchObject({ status: 400, body: { error: 'use_dpop_nonce' } });
      const proof = await key.prove({ htm: 'POST', htu: TOKEN, nonce: without.nonce });
      expect(await post(client, form, proof)).toMatchObject({ body: { error: 'invalid_grant' } });
      expect(await post(client, form, proof)).toMatchObject({ body: { error: 'invalid_dpop_proof' } });
      const two = [1, 2].map(() => key.prove({ htm: 'POST', htu: TOKEN, nonce: without.nonce }));
      expect(await post(client, form, ...(await Promise.all(two)))).toMatchObject({
        body: { error: 'invalid_dpop_proof' },
      });
    });

    it('are demanded of a client whose registration says so', async () => {
      const strict = await RelyingParty.register(app, { type: 'public', requireDpop: true });
      await expect(strict.signIn(ada.token)).rejects.toMatchObject({ error: 'invalid_dpop_proof' });
      expect((await signIn(strict)).token_type).toBe('dpop');
    });

    it('are of the key to which the request has bound the code', async () => {
      const refused = signIn(native, { dpop_jkt: thief.jkt });
      await expect(refused).rejects.toMatchObject({ error: 'invalid_grant' });
      expect((await signIn(native, { dpop_jkt: key.jkt })).token_type).toBe('dpop');
      const { url } = await native.depart({ dpop_jkt: 'short' });
      expect((await native.open(url)).searchParams.get('error')).toBe('invalid_request');
    });
  });

  it('are checked over replicas: the nonce, the first use, and the end of the session', async () => {
    const replica = await TestApp.start({ ROOT_SECRET, DATABASE_URL: app.databaseUrl });
    try {
      const ask = async (service: TestApp, path: string, form: Record<string, string>, dpop?: string) => {
        const headers = { authorization: client.authorization, ...(dpop !== undefined && { dpop }) };
        const body = new URLSearchParams(form);
        const response = await fetch(service.url + path, { method: 'POST', headers, body });
        return (await response.json()) as Record<string, unknown>;
      };
      const form = { grant_type: 'refresh_token', refresh_token: 'x' };
      const proof = await key.prove({ htm: 'POST', htu: TOKEN, nonce: await nonce() });
      expect(await ask(replica, '/oauth2/token', form, proof)).toMatchObject({ error: 'invalid_grant' });
      expect(await ask(app, '/oauth2/token', form, proof)).toMatchObject({ error: 'invalid_dpop_proof' });
      const person = await Person.signUp(app);
      const { access_token: token } = await client.signIn(person.token);
      const isActive = async (service: TestApp) =>
        (await ask(service, '/oauth2/introspect', { token }))['active'] === true;
      expect(await isActive(replica)).toBe(true);
      await app.post('logout', undefined, { token: person.token });
      expect(await isActive(app)).toBe(false);
      await eventually('the other replica knows', async () => !(await isActive(replica)), 10_000);
    } finally {
      await replica.stop();
    }
  });

  it('bind the code of a pushed request', async () => {
    const { url } = await client.depart({ dpop_jkt: thief.jkt });
    const push = async () =>
      fetch(`${app.url}/oauth2/par`, {
        method: 'POST',
        headers: {
          authorization: client.authorization,
          dpop: await key.prove({ htm: 'POST', htu: TOKEN.replace('token', 'par'), nonce: await nonce() }),
        },
        body: url.searchParams,
      });
    expect(await (await push()).json()).toMatchObject({ error: 'invalid_dpop_proof' });
    url.searchParams.delete('dpop_jkt');
    expect((await push()).status).toBe(201);
    expect(await app.sql('SELECT dpop_jkt FROM oidc_requests WHERE pushed')).toContainEqual({
      dpop_jkt: key.jkt,
    });
  });
});
