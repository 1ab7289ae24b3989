import { execFileSync } from 'node:child_process';
import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomUUID,
  sign,
} from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Settings, SETTINGS } from '../../../src/platform/config/index.js';
import { createApiKey } from '../../../src/platform/crypto/index.js';
import { MachineTokens } from '../../../src/session/index.js';
import { withChecksum } from '../../support/api-keys.js';
import { startDeletion } from '../../support/deletion.js';
import { Organization } from '../../support/organization.js';
import { ScimDirectory } from '../../support/scim-directory.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

/** As Debian has it, for the Python of the system. */
const PYTHON_CRYPTOGRAPHY = '/usr/lib/python3/dist-packages/cryptography';
const ME = '/api/v1/iam/me';
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

interface TokenAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

describe('The token endpoint', () => {
  let organization: Organization;
  let accountId: string;
  /** Issuer of the service. */
  let audience: string;
  let pair: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
  const app = withApp({ RATE_REFRESH: 'off', RATE_WRITE: 'off' });
  beforeAll(async () => {
    audience = app.app.get<Settings>(SETTINGS).PUBLIC_URL;
    organization = await Organization.found(app);
    pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  });
  beforeEach(async () => {
    accountId = await account();
  });

  const account = async (role = 'admin'): Promise<string> =>
    String(
      (await organization.call('POST', '/service-accounts', { name: 'Build', roles: [role] })).body['id'],
    );
  const credential = (given: object, id = accountId) =>
    organization.call('POST', `/service-accounts/${id}/credentials`, given);
  const secretOf = async (): Promise<string> => {
    const { status, body } = await credential({ kind: 'secret' });
    expect([status, body['clientId']]).toEqual([201, accountId]);
    return String(body['clientSecret']);
  };
  const jwkOf = (key: KeyObject) => key.export({ format: 'jwk' }) as Record<string, unknown>;
  const registerKey = async (key = pair.publicKey, id = accountId): Promise<string> => {
    const { status, body } = await credential({ kind: 'public_key', jwk: jwkOf(key) }, id);
    expect([status, body['clientSecret']]).toEqual([201, null]);
    return String(body['id']);
  };
  const post = async (
    form: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<TokenAnswer> => {
    const response = await fetch(`${app.url}/oauth2/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });
  const bySecret = (secret: string, form: object = {}, id = accountId) =>
    post({ grant_type: 'client_credentials', ...form }, basic(id, secret));
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const now = () => Math.floor(Date.now() / 1_000);
  const assertionOf = (
    claims: object = {},
    header: object = {},
    key: KeyObject = pair.privateKey,
  ): string => {
    const all = {
      iss: accountId,
      sub: accountId,
      aud: audience,
      jti: randomUUID(),
      iat: now(),
      exp: now() + 60,
      ...claims,
    };
    const text = `${encode({ alg: 'ES256', ...header })}.${encode(all)}`;
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };
  const byAssertion = (assertion: string, form: object = {}) =>
    post({
      grant_type: 'client_credentials',
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
      ...form,
    });
  const REFUSED = { status: 401, body: { error: 'invalid_client' } };

  it('issues a token of ten minutes for a secret, which works at the API', async () => {
    const answer = await bySecret(await secretOf());
    expect(answer).toMatchObject({ status: 200, body: { token_type: 'Bearer', expires_in: 600 } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(Object.keys(answer.body)).not.toContain('refresh_token');
    const token = String(answer.body['access_token']);
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ sub: accountId, client_id: accountId, tid: organization.id });
    expect(await app.get(ME, token)).toMatchObject({ status: 200, body: { id: accountId, kind: 'service' } });
    expect((await app.get(`${organization.path}/members`, token)).status).toBe(200);
    expect((await app.get(`${ME}/sessions`, token)).status).toBe(403);
  });

  it('issues fewer scopes on request, and none that the account does not hold', async () => {
    const secret = await secretOf();
    const { body } = await bySecret(secret, { scope: 'iam:service-account:read' });
    expect(body['scope']).toBe('iam:service-account:read');
    expect((await app.get(`${organization.path}/members`, String(body['access_token']))).status).toBe(403);
    for (const scope of ['iam:tenant:archive', 'iam:satellite:read', 'nonsense', ' '])
      expect(await bySecret(secret, { scope })).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope' },
      });
  });

  it('refuses a wrong secret, that of another account, and a disabled account', async () => {
    const secret = await secretOf();
    const other = await account();
    const wrong = await bySecret(`${secret}x`);
    expect(wrong).toMatchObject(REFUSED);
    expect(wrong.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect(wrong.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await bySecret(secret, {}, other)).toMatchObject(REFUSED);
    expect(await bySecret(secret, {}, 'unknown')).toMatchObject(REFUSED);
    expect(await bySecret(secret, { client_id: other })).toMatchObject(REFUSED);
    await organization.call('POST', `/service-accounts/${accountId}/disable`);
    expect(await bySecret(secret)).toMatchObject(REFUSED);
  });

  it('refuses accounts of an archived organization, and the tokens that they have', async () => {
    const own = organization;
    organization = await Organization.found(app);
    accountId = await account();
    const secret = await secretOf();
    const token = String((await bySecret(secret)).body['access_token']);
    expect((await app.get(ME, token)).status).toBe(200);
    expect((await organization.call('POST', '/archive')).status).toBeLessThan(300);
    expect(await bySecret(secret)).toMatchObject(REFUSED);
    expect((await app.get(ME, token)).status).toBe(401);
    organization = own;
  });

  it('has at most ten credentials and twenty rules of an account', async () => {
    const rule = { issuer: 'https://ci.example', audience: 'gatehouse', conditions: { sub: 'build' } };
    const add = async (path: string, body: object) =>
      (await organization.call('POST', `/service-accounts/${accountId}/${path}`, body)).status;
    for (let n = 0; n < 10; n += 1) await secretOf();
    expect(await add('credentials', { kind: 'secret' })).toBe(409);
    for (let n = 0; n < 20; n += 1) expect(await add('trust-rules', rule)).toBe(201);
    expect(await add('trust-rules', rule)).toBe(409);
  });

  it('refuses requests that the standard does not allow', async () => {
    const secret = await secretOf();
    const error = (code: string) => ({ status: 400, body: { error: code } });
    expect(await bySecret(secret, { grant_type: 'password' })).toMatchObject(error('unsupported_grant_type'));
    expect(await post({}, basic(accountId, secret))).toMatchObject(error('invalid_request'));
    const both = { client_assertion: assertionOf(), client_assertion_type: ASSERTION_TYPE };
    expect(await bySecret(secret, both)).toMatchObject(error('invalid_request'));
    expect(await byAssertion(assertionOf(), { client_assertion_type: 'jwt' })).toMatchObject(
      error('invalid_request'),
    );
    expect(await bySecret(secret, { client_id: accountId, client_secret: secret })).toMatchObject(
      error('invalid_request'),
    );
  });

  it('accepts a secret in the form, as many libraries send it', async () => {
    const secret = await secretOf();
    const inForm = { grant_type: 'client_credentials', client_id: accountId, client_secret: secret };
    expect(await post(inForm)).toMatchObject({ status: 200, body: { token_type: 'Bearer' } });
    expect(await post({ ...inForm, client_secret: `${secret}x` })).toMatchObject(REFUSED);
    expect(await post({ grant_type: 'client_credentials', client_secret: secret })).toMatchObject(REFUSED);
  });

  it('accepts a signed assertion once', async () => {
    await registerKey();
    const assertion = assertionOf();
    expect((await byAssertion(assertion)).status).toBe(200);
    expect(await byAssertion(assertion)).toMatchObject(REFUSED);
    const twenty = assertionOf();
    const answers = await Promise.all(Array.from({ length: 20 }, () => byAssertion(twenty)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  /** Made by OpenSSL and by Python, which sign by RSA; each as its own users would write it. */
  const MAKERS: Record<string, string> = {
    openssl: `printf '%s' "$TEXT" | openssl dgst -sha256 -sign "$KEY" -binary | base64 -w0 | tr '+/' '-_' | tr -d '='`,
    python: `/usr/bin/python3 -c '
import base64, os
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
key = serialization.load_pem_private_key(open(os.environ["KEY"], "rb").read(), None)
made = key.sign(os.environ["TEXT"].encode(), padding.PKCS1v15(), hashes.SHA256())
print(base64.urlsafe_b64encode(made).rstrip(b"=").decode(), end="")'`,
  };
  describeWith(['openssl', PYTHON_CRYPTOGRAPHY], 'with assertions of other authors', () => {
    it.each(Object.keys(MAKERS))('accepts one that %s has signed', async (maker) => {
      const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const folder = temporaryFolder('assertion');
      const file = join(folder, 'key.pem');
      writeFileSync(file, rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
      await registerKey(rsa.publicKey);
      const text = assertionOf({}, { alg: 'RS256' }).split('.').slice(0, 2).join('.');
      const env = { ...process.env, KEY: file, TEXT: text };
      const signature = execFileSync('sh', ['-c', MAKERS[maker] ?? ''], { env, encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      expect((await byAssertion(`${text}.${signature}`)).status).toBe(200);
    });
  });

  it('refuses assertions with another audience, algorithm, key, client or time', async () => {
    await registerKey();
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = await account();
    const text = `${encode({ alg: 'none' })}.${encode({ iss: accountId, sub: accountId, aud: audience, jti: 'x', iat: now(), exp: now() + 60 })}`;
    const ofHmac = `${encode({ alg: 'HS256' })}.${text.split('.')[1] ?? ''}`;
    const pem = createPublicKey(pair.privateKey).export({ type: 'spki', format: 'pem' });
    const hmac = createHmac('sha256', pem).update(ofHmac).digest('base64url');
    const refused: Record<string, string> = {
      'another audience': assertionOf({ aud: 'https://other.example' }),
      'the audience of the endpoint': assertionOf({ aud: `${audience}/oauth2/token` }),
      'two audiences': assertionOf({ aud: [audience, 'https://other.example'] }),
      'no algorithm': `${text}.`,
      'HS256 with the public key': `${ofHmac}.${hmac}`,
      'another key': assertionOf({}, {}, foreign.privateKey),
      'another issuer': assertionOf({ iss: other }),
      'another client': assertionOf({ iss: other, sub: other }),
      'ten minutes old': assertionOf({ iat: now() - 600, exp: now() - 540 }),
      'old, with a late expiry': assertionOf({ iat: now() - 600, exp: now() + 60 }),
      'valid for an hour': assertionOf({ exp: now() + 3_600 }),
      'without an id': assertionOf({ jti: undefined }),
      'with an empty id': assertionOf({ jti: '' }),
      'with an endless id': assertionOf({ jti: 'x'.repeat(256) }),
      'with a number for an id': assertionOf({ jti: 7 }),
      'that ends before it begins': assertionOf({ iat: now() + 4, exp: now() + 3 }),
      'without an expiry': assertionOf({ exp: undefined }),
      'from the future': assertionOf({ iat: now() + 120, exp: now() + 180 }),
      'no token': 'x',
    };
    for (const [what, assertion] of Object.entries(refused))
      expect([what, (await byAssertion(assertion)).status]).toEqual([what, 401]);
    expect((await byAssertion(assertionOf())).status).toBe(200);
    const longest = { jti: randomUUID().padEnd(255, 'x'), aud: [audience], exp: now() + 300 };
    expect((await byAssertion(assertionOf(longest))).status).toBe(200);
  });

  it('refuses the id of another client beside the credentials', async () => {
    const other = await account();
    await registerKey();
    const secret = await secretOf();
    expect((await bySecret(secret, { client_id: accountId })).status).toBe(200);
    expect(await bySecret(secret, { client_id: other })).toMatchObject(REFUSED);
    expect((await byAssertion(assertionOf(), { client_id: accountId })).status).toBe(200);
    expect(await byAssertion(assertionOf(), { client_id: other })).toMatchObject(REFUSED);
    const { id, token } = await ScimDirectory.create(organization);
    expect((await bySecret(token, { client_id: id }, id)).status).toBe(200);
    expect(await bySecret(token, { client_id: other }, id)).toMatchObject(REFUSED);
  });

  it('says that a token is whole only if neither request nor key restricts it', async () => {
    const sign = jest.spyOn(MachineTokens.prototype, 'sign');
    const key = async (given: object = {}) => {
      const path = `/service-accounts/${accountId}/keys`;
      const made = await organization.call('POST', path, { name: 'Nightly', ...given });
      const form = {
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
        subject_token: String(made.body['key']),
      };
      expect((await post(form)).status).toBe(200);
    };
    await key();
    await key({ scopes: ['iam:member:read'] });
    const secret = await secretOf();
    await bySecret(secret);
    await bySecret(secret, { scope: 'iam:member:read' });
    expect(sign.mock.calls.map(([, , { isWhole }]) => isWhole)).toEqual([true, false, true, false]);
    sign.mockRestore();
  });

  it('refuses a secret from its end on, and the tokens that it gave', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString();
    const secret = String((await credential({ kind: 'secret', expiresAt })).body['clientSecret']);
    const token = String((await bySecret(secret)).body['access_token']);
    expect((await app.get(ME, token)).status).toBe(200);
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(expiresAt));
    expect(await bySecret(secret)).toMatchObject(REFUSED);
    expect((await app.get(ME, token)).status).toBe(401);
    clock.mockRestore();
    expect((await bySecret(secret)).status).toBe(200);
  });

  it('refuses accounts of an organization whose deletion has started, and the tokens that they have', async () => {
    const own = organization;
    organization = await Organization.found(app);
    accountId = await account();
    const secret = await secretOf();
    const token = String((await bySecret(secret)).body['access_token']);
    expect((await app.get(ME, token)).status).toBe(200);
    await startDeletion(app, organization.id);
    await eventually('the token is refused', async () => (await app.get(ME, token)).status === 401, 10_000);
    expect(await bySecret(secret)).toMatchObject(REFUSED);
    organization = own;
  });

  it('refuses tokens whose credential was deleted', async () => {
    const id = await registerKey();
    const { body } = await byAssertion(assertionOf());
    const token = String(body['access_token']);
    expect((await app.get(ME, token)).status).toBe(200);
    const path = `/service-accounts/${accountId}/credentials`;
    expect(itemsOf(await organization.call('GET', path))).toEqual([
      expect.objectContaining({ id, kind: 'public_key', clientId: accountId }),
    ]);
    expect((await organization.call('DELETE', `${path}/${id}`)).status).toBe(204);
    await eventually('the token is refused', async () => (await app.get(ME, token)).status === 401);
    expect(await byAssertion(assertionOf())).toMatchObject(REFUSED);
  });

  it('registers public keys alone', async () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 1_024 });
    for (const jwk of [
      jwkOf(pair.privateKey),
      jwkOf(small.publicKey),
      { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' },
      { kty: 'OKP', crv: 'X25519', x: 'AA' },
    ])
      expect((await credential({ kind: 'public_key', jwk })).status).toBe(400);
    expect((await credential({ kind: 'public_key' })).status).toBe(400);
    for (const jwksUri of ['http://keys.example.com/jwks.json', 'https://127.0.0.1:1/jwks.json'])
      expect((await credential({ kind: 'public_key', jwksUri })).status).toBe(400);
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    await registerKey(rsa.publicKey);
    await registerKey(generateKeyPairSync('ed25519').publicKey);
  });

  it('reads no keys at private addresses', async () => {
    const jwksUri = 'https://keys.example.com/jwks.json';
    const { body } = await credential({ kind: 'public_key', jwksUri });
    // One from before this was refused.
    await app.sql("UPDATE machine_credentials SET jwks_uri = 'https://127.0.0.1:1/jwks.json' WHERE id = $1", [
      body['id'],
    ]);
    expect(await byAssertion(assertionOf())).toMatchObject(REFUSED);
  });

  describe('with a reported key', () => {
    const report = (key: string) => app.call('POST', '/api/v1/iam/leaked-keys', { key });

    it('ends a token of a directory, also of a disabled one', async () => {
      const directory = await ScimDirectory.create(organization);
      await organization.call('PATCH', `/directories/${directory.id}`, { status: 'disabled' });
      const { token } = directory;
      const other = createApiKey('scim').plainKey;
      const tokens = async () =>
        (await organization.call('GET', `/directories/${directory.id}/tokens`)).body['items'];
      // Its public part with another secret, which proves nothing.
      const forged = withChecksum(`${token.slice(0, 19)}${other.slice(19, 51)}`);
      for (const wrong of [other, forged]) expect((await report(wrong)).status).toBe(202);
      expect(await tokens()).toHaveLength(1);
      expect((await report(token)).status).toBe(202);
      expect(await tokens()).toEqual([]);
      const { email } = organization.owner.person;
      await eventually('the owner is told', async () =>
        (await app.mails(email)).some((mail) => mail.includes('First') && mail.includes('found in public')),
      );
    });

    it('ends it, tells the owners, and says nothing about others', async () => {
      const { body } = await organization.call('POST', `/service-accounts/${accountId}/keys`, { name: 'CI' });
      const key = String(body['key']);
      const flipped = `${key.slice(0, 30)}${key[30] === 'a' ? 'b' : 'a'}${key.slice(31)}`;
      const unknown = await report(flipped);
      expect((await app.get(ME, key)).status).toBe(200);
      const known = await report(key);
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
      expect((await app.get(ME, key)).status).toBe(401);
      const { email } = organization.owner.person;
      await eventually('the owner is told', async () =>
        (await app.mails(email)).some((mail) => mail.includes('A key was found in public')),
      );
      const jobs = await app.sql('SELECT * FROM graphile_worker._private_jobs');
      expect(JSON.stringify(jobs)).not.toContain(key);
    });
  });
});
