import { randomUUID } from 'node:crypto';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { calculatePKCECodeChallenge, randomPKCECodeVerifier } from 'openid-client';
import { ClientService } from '../../../src/client/index.js';
import { DpopNonces } from '../../../src/session/index.js';
import { Person } from '../../support/organization.js';
import { ProofKey } from '../../support/proof-key.js';
import { signUpOperator } from '../../support/satellite.js';
import { withApp } from '../../support/test-app.js';

const ISSUER = 'http://gatehouse.test';
const REDIRECT_URI = 'https://bank.example/callback';
const SATELLITES = '/api/v1/iam/satellites';
const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code';
const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT_BEARER = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const ID_JAG = 'urn:ietf:params:oauth:token-type:id-jag';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
const FIXED = {
  type: 'confidential',
  satelliteCodes: false,
  tokenEndpointAuthMethod: 'private_key_jwt',
  requirePar: true,
  requirePkce: true,
  requireDpop: true,
  idTokenAlg: 'ES256',
  accessTokenAlg: 'ES256',
};
type Form = Readonly<Record<string, string>>;

/** The FAPI 2.0 Security Profile (final, February 2025), sections 5.3.2 and 5.4.1. */
describe('A client with the profile fapi2', () => {
  let ada: Person;
  let operator: Person;
  let clientId: string;
  let keys: { readonly privateKey: CryptoKey; readonly jwk: JWK };
  let proofs: ProofKey;
  const app = withApp();
  beforeAll(async () => {
    ada = await Person.signUp(app);
    operator = await signUpOperator(app);
    proofs = await ProofKey.create();
    const pair = await generateKeyPair('ES256', { extractable: true });
    keys = { privateKey: pair.privateKey, jwk: await exportJWK(pair.publicKey) };
    const { status, body } = await register();
    expect([status, body]).toEqual([201, expect.objectContaining(FIXED)]);
    clientId = String(body['clientId']);
  });

  const call = (method: string, path: string, body: object) =>
    app.call(method, SATELLITES + path, body, { token: operator.token });
  const register = (data: object = {}) =>
    call('POST', '', {
      clientId: `bank-${randomUUID().slice(0, 8)}`,
      name: 'Bank',
      redirectUris: [REDIRECT_URI],
      security: 'fapi2',
      firstParty: true,
      jwks: { keys: [keys.jwk] },
      ...data,
    });

  const assert = (claims: object = {}, { alg = 'ES256', key = keys.privateKey } = {}) =>
    new SignJWT({ iss: clientId, sub: clientId, aud: ISSUER, jti: randomUUID(), ...claims })
      .setProtectedHeader({ alg })
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(key);
  interface Sent {
    /** Null for none. */
    readonly proof?: string | null;
    readonly assertion?: string;
    readonly authorization?: string;
  }
  const prove = (path: string): Promise<string> => {
    const nonce = app.app.get(DpopNonces, { strict: false }).current();
    return proofs.prove({ htm: 'POST', htu: ISSUER + path, nonce });
  };
  const post = async (path: string, form: Form, { proof, assertion, authorization }: Sent = {}) => {
    const dpop = proof === undefined ? await prove(path) : proof;
    const client = { client_assertion_type: ASSERTION_TYPE, client_assertion: assertion ?? (await assert()) };
    const response = await fetch(app.url + path, {
      method: 'POST',
      headers: { ...(dpop !== null && { dpop }), ...(authorization !== undefined && { authorization }) },
      body: new URLSearchParams({ ...form, ...(authorization === undefined && client) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const requestOf = async (changes: Form = {}) => {
    const verifier = randomPKCECodeVerifier();
    const request: Record<string, string> = {
      client_id: clientId,
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      scope: 'openid',
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...changes,
    };
    return { request, verifier };
  };
  const open = async (query: Form): Promise<URL> => {
    const response = await fetch(`${app.url}/oauth2/authorize?${new URLSearchParams(query)}`, {
      redirect: 'manual',
    });
    return new URL(response.headers.get('location') ?? `${ISSUER}/none?status=${response.status}`, app.url);
  };
  /** Signs in to the redirect URI. */
  const codeOf = async (sent: Sent = {}) => {
    const { request, verifier } = await requestOf();
    const { status, body } = await post('/oauth2/par', request, sent);
    expect([status, body]).toEqual([201, expect.anything()]);
    const page = await open({ client_id: clientId, request_uri: String(body['request_uri']) });
    const path = `/api/v1/iam/auth/authorizations/${page.searchParams.get('request') ?? ''}/approve`;
    const approved = await app.call('POST', path, {}, { token: ada.token });
    const back = new URL(String(approved.body['redirectTo']));
    const code = back.searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
    };
    return { back, form };
  };

  it('signs in by a pushed request, its key and a proof, and keeps its refresh token', async () => {
    const { back, form } = await codeOf();
    expect(back.searchParams.get('iss')).toBe(ISSUER);
    const { status, body } = await post('/oauth2/token', form);
    expect([status, body['token_type']]).toEqual([200, 'DPoP']);
    expect(decodeJwt(String(body['access_token']))['cnf']).toEqual({ jkt: proofs.jkt });
    for (const token of [body['access_token'], body['id_token']])
      expect(decodeProtectedHeader(String(token)).alg).toBe('ES256');
    const refresh = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
    expect((await post('/oauth2/token', refresh)).body['refresh_token']).toBe(body['refresh_token']);
    // A stolen token opens nothing without the key.
    const headers = { authorization: `Bearer ${String(body['access_token'])}` };
    expect((await fetch(`${app.url}/oauth2/userinfo`, { headers })).status).toBe(401);
  });

  it.each([
    ['requirePar', false],
    ['requirePkce', false],
    ['requireDpop', false],
    ['idTokenAlg', 'RS256'],
    ['accessTokenAlg', 'RS256'],
    ['tokenEndpointAuthMethod', 'client_secret'],
    ['satelliteCodes', true],
    ['grantTypes', ['authorization_code', DEVICE_CODE]],
    ['redirectUris', ['http://localhost/callback']],
  ])('has no other %s than the profile: %s', async (name, value) => {
    expect(await call('PATCH', `/${clientId}`, { [name]: value })).toMatchObject({ status: 400 });
    const without = name === 'tokenEndpointAuthMethod' ? { jwks: null } : {};
    expect(await register({ [name]: value, ...without })).toMatchObject({ status: 400 });
    expect((await app.get(`${SATELLITES}/${clientId}`, operator.token)).body).toMatchObject(FIXED);
  });

  it('is never public', async () => {
    expect(await register({ type: 'public', tokenEndpointAuthMethod: 'none', jwks: null })).toMatchObject({
      status: 400,
    });
  });

  it('gets the whole profile by the mark, set on a client from before', async () => {
    const id = `plain-${randomUUID().slice(0, 8)}`;
    await app.app.get(ClientService, { strict: false }).register(null, {
      clientId: id,
      name: 'Plain',
      redirectUris: [REDIRECT_URI],
      firstParty: true,
      satelliteCodes: false,
    });
    expect(await call('PATCH', `/${id}`, { security: 'fapi2' })).toMatchObject({ status: 400 });
    const changes = { security: 'fapi2', jwks: { keys: [keys.jwk] } };
    expect(await call('PATCH', `/${id}`, changes)).toMatchObject({ status: 200, body: FIXED });
  });

  it('starts no sign-in but by a pushed request', async () => {
    const { request } = await requestOf();
    expect((await open(request)).searchParams.get('error')).toBe('invalid_request');
    const pushed = await post('/oauth2/par', request);
    const uri = String(pushed.body['request_uri']);
    expect(pushed.body['expires_in']).toBeLessThan(600);
    expect(
      (await open({ client_id: clientId, request_uri: uri })).searchParams.get('request'),
    ).not.toBeNull();
    expect((await open({ client_id: clientId, request_uri: uri })).searchParams.get('request')).toBeNull();
  });

  it('pushes no request without PKCE by S256, without its redirect URI, or for another response', async () => {
    const faults: readonly Form[] = [
      { code_challenge: '' },
      { code_challenge_method: 'plain' },
      { redirect_uri: '' },
      { redirect_uri: `${REDIRECT_URI}/` },
      { response_type: 'code id_token' },
      { response_type: 'token' },
    ];
    for (const changes of faults) {
      const { request } = await requestOf(changes);
      expect([changes, (await post('/oauth2/par', request)).status]).toEqual([changes, 400]);
    }
  });

  it('authenticates by its key only, for this issuer, by an algorithm of the profile', async () => {
    const { request } = await requestOf();
    const basic = `Basic ${Buffer.from(`${clientId}:ghs_secret`).toString('base64')}`;
    expect((await post('/oauth2/par', request, { authorization: basic })).body['error']).toBe(
      'invalid_client',
    );
    for (const aud of [
      `${ISSUER}/oauth2/token`,
      `${ISSUER}/oauth2/par`,
      [ISSUER, 'https://other.example'],
      [ISSUER],
    ]) {
      const sent = { assertion: await assert({ aud }) };
      expect([aud, (await post('/oauth2/par', request, sent)).body['error']]).toEqual([
        aud,
        'invalid_client',
      ]);
    }
    const rsa = await generateKeyPair('RS256', { extractable: true });
    const jwk = await exportJWK(rsa.publicKey);
    expect((await call('PATCH', `/${clientId}`, { jwks: { keys: [keys.jwk, jwk] } })).status).toBe(200);
    const statuses = [];
    for (const alg of ['RS256', 'PS256']) {
      const key = await generateKeyPairOf(rsa.privateKey, alg);
      statuses.push(
        (await post('/oauth2/par', request, { assertion: await assert({}, { alg, key }) })).status,
      );
    }
    expect(statuses).toEqual([401, 201]);
  });
  it('is forgiven a clock that is ten seconds ahead, and none that is a minute', async () => {
    const { request } = await requestOf();
    const at = async (ahead: number) => {
      const iat = Math.floor(Date.now() / 1_000) + ahead;
      const assertion = await new SignJWT({
        iss: clientId,
        sub: clientId,
        aud: ISSUER,
        jti: randomUUID(),
        iat,
        nbf: iat,
      })
        .setProtectedHeader({ alg: 'ES256' })
        .setExpirationTime(iat + 60)
        .sign(keys.privateKey);
      return (await post('/oauth2/par', request, { assertion })).status;
    };
    expect([await at(9), await at(61)]).toEqual([201, 401]);
  });

  it('may have a nonce of 64 characters', async () => {
    const { request } = await requestOf({ nonce: 'n'.repeat(64) });
    expect((await post('/oauth2/par', request)).status).toBe(201);
  });

  /** The same RSA key for another algorithm: keys of Web Crypto have one. */
  const generateKeyPairOf = async (key: CryptoKey, alg: string): Promise<CryptoKey> => {
    const { importJWK } = await import('jose');
    return (await importJWK({ ...(await exportJWK(key)), alg }, alg)) as CryptoKey;
  };

  it('gets no token without a proof, by another key, or by RS256', async () => {
    expect(await post('/oauth2/token', (await codeOf()).form, { proof: null })).toMatchObject({
      status: 400,
      body: { error: 'invalid_dpop_proof' },
    });
    const other = await ProofKey.create();
    const nonce = app.app.get(DpopNonces, { strict: false }).current();
    const claims = { htm: 'POST', htu: `${ISSUER}/oauth2/token`, nonce };
    const byOther = { proof: await other.prove(claims) };
    expect((await post('/oauth2/token', (await codeOf()).form, byOther)).body['error']).toBe('invalid_grant');
    const rsa = await generateKeyPair('RS256', { extractable: true });
    const byRsa = (path: string) =>
      new SignJWT({ ...claims, htu: ISSUER + path, jti: randomUUID(), iat: Math.floor(Date.now() / 1_000) });
    const jwk = await exportJWK(rsa.publicKey);
    const header = { alg: 'RS256', typ: 'dpop+jwt', jwk };
    const unbound = (await codeOf({ proof: null })).form;
    const atToken = { proof: await byRsa('/oauth2/token').setProtectedHeader(header).sign(rsa.privateKey) };
    expect((await post('/oauth2/token', unbound, atToken)).body['error']).toBe('invalid_dpop_proof');
    const atPar = { proof: await byRsa('/oauth2/par').setProtectedHeader(header).sign(rsa.privateKey) };
    const { request } = await requestOf();
    expect((await post('/oauth2/par', request, atPar)).body['error']).toBe('invalid_dpop_proof');
  });

  it('gets no identity assertion without a proof, or by RS256, and presents none by RS256', async () => {
    const issue = { grant_type: TOKEN_EXCHANGE, requested_token_type: ID_JAG };
    const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
    const byRsa = await new SignJWT({
      htm: 'POST',
      htu: `${ISSUER}/oauth2/token`,
      nonce: app.app.get(DpopNonces, { strict: false }).current(),
      jti: randomUUID(),
    })
      .setProtectedHeader({ alg: 'RS256', typ: 'dpop+jwt', jwk: await exportJWK(publicKey) })
      .setIssuedAt()
      .sign(privateKey);
    for (const proof of [null, byRsa])
      expect((await post('/oauth2/token', issue, { proof })).body['error']).toBe('invalid_dpop_proof');
    const { body } = await register({ grantTypes: [JWT_BEARER] });
    const id = String(body['clientId']);
    const signed = await new SignJWT({ client_id: id, resource: 'https://orders.example' })
      .setProtectedHeader({ alg: 'RS256', typ: 'oauth-id-jag+jwt' })
      .setIssuer('https://idp.example')
      .sign(privateKey);
    const presented = { grant_type: JWT_BEARER, assertion: signed };
    const assertion = await assert({ iss: id, sub: id });
    expect(await post('/oauth2/token', presented, { assertion })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', error_description: expect.stringContaining('FAPI 2.0') },
    });
  });

  it('has codes of at most a minute', async () => {
    await codeOf();
    const [row] = await app.sql<{ seconds: string }>(
      'SELECT max(extract(epoch FROM expires_at - now())) AS seconds FROM one_time_codes WHERE client_id = $1 AND consumed_at IS NULL',
      [clientId],
    );
    expect(Number(row?.seconds)).toBeLessThanOrEqual(60);
  });

  it('has no way around: devices, codes of satellites, the refresh of the API, passwords', async () => {
    expect((await post('/oauth2/device_authorization', { scope: 'openid' })).body['error']).toBe(
      'unauthorized_client',
    );
    const challenge = await calculatePKCECodeChallenge(randomPKCECodeVerifier());
    const body = { clientId, redirectUri: REDIRECT_URI, codeChallenge: challenge };
    expect((await app.post('satellite/code', body, { token: ada.token })).status).not.toBe(200);
    const { body: tokens } = await post('/oauth2/token', (await codeOf()).form);
    const refreshToken = String(tokens['refresh_token']);
    expect((await app.post('refresh', { refreshToken, clientId, clientSecret: 'ghs_x' })).status).not.toBe(
      200,
    );
    for (const grantType of ['password', 'client_credentials', 'implicit'])
      expect((await post('/oauth2/token', { grant_type: grantType, scope: 'openid' })).status).not.toBe(200);
  });

  it('reaches no API whose tokens are by RS256', async () => {
    const scopes = [{ name: 'read', title: 'Read' }];
    for (const accessTokenAlg of ['ES256', 'RS256']) {
      const api = {
        identifier: `https://${accessTokenAlg.toLowerCase()}.example`,
        name: 'API',
        scopes,
        accessTokenAlg,
      };
      const { body } = await app.call('POST', '/api/v1/iam/apis', api, { token: operator.token });
      await call('PUT', `/${clientId}/apis/${String(body['id'])}`, { scopes: ['read'] });
      const { request } = await requestOf({ resource: api.identifier, scope: 'read' });
      expect((await post('/oauth2/par', request)).status).toBe(accessTokenAlg === 'ES256' ? 201 : 400);
    }
  });
});
