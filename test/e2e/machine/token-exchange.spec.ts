import { generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDeletion } from '../../support/deletion.js';
import { Organization } from '../../support/organization.js';
import { eventually, itemsOf, withApp } from '../../support/test-app.js';

const ME = '/api/v1/iam/me';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const JWT = 'urn:ietf:params:oauth:token-type:jwt';
const MAIN = 'repo:octo/app:ref:refs/heads/main';

/** An issuer of workload tokens, as a build service is one. */
class Issuer {
  readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  /** What the key set answers instead of the key. */
  keySet: string | null = null;
  /** Whom the metadata name instead of the issuer. */
  named: string | null = null;
  requests = 0;

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Issuer> {
    const server = createServer((request, response) => {
      issuer.requests++;
      const { url } = issuer;
      const jwk = { ...issuer.pair.publicKey.export({ format: 'jwk' }), kid: 'one' };
      const body = request.url?.startsWith('/.well-known')
        ? JSON.stringify({ issuer: issuer.named ?? url, jwks_uri: `${url}/keys` })
        : (issuer.keySet ?? JSON.stringify({ keys: [jwk] }));
      response.setHeader('content-type', 'application/json');
      response.end(body);
    });
    const issuer = new Issuer(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return issuer;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  token(claims: object = {}, key: KeyObject = this.pair.privateKey): string {
    const now = Math.floor(Date.now() / 1_000);
    const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    const all = {
      iss: this.url,
      aud: 'gatehouse',
      sub: MAIN,
      repository: 'octo/app',
      jti: randomUUID(),
      iat: now,
      exp: now + 300,
      ...claims,
    };
    const text = `${encode({ alg: 'ES256', kid: 'one' })}.${encode(all)}`;
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('The exchange of tokens', () => {
  let organization: Organization;
  let issuer: Issuer;
  let other: Issuer;
  let accountId: string;
  let ruleId: string;
  const app = withApp({
    RATE_REFRESH: 'off',
    RATE_WRITE: 'off',
    CONNECTION_TRUSTED_HOSTS: '127.0.0.1',
  });
  beforeAll(async () => {
    organization = await Organization.found(app);
  });
  beforeEach(async () => {
    [issuer, other] = await Promise.all([Issuer.start(), Issuer.start()]);
    const made = await organization.call('POST', '/service-accounts', { name: 'CI', roles: ['admin'] });
    accountId = String(made.body['id']);
    ruleId = String((await trust()).body['id']);
  });
  afterEach(() => Promise.all([issuer.stop(), other.stop()]));

  const trust = (given: object = {}) =>
    organization.call('POST', `/service-accounts/${accountId}/trust-rules`, {
      issuer: issuer.url,
      audience: 'gatehouse',
      conditions: { repository: 'octo/*', sub: MAIN },
      ...given,
    });
  const exchange = (token: string, form: object = {}) =>
    exchangeUnnamed(token, { client_id: accountId, ...form });
  /** Exchanges a token without the account for which it stands. */
  const exchangeUnnamed = async (token: string, form: object = {}, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({
      grant_type: EXCHANGE,
      subject_token: token,
      subject_token_type: JWT,
      ...form,
    });
    const response = await fetch(`${app.url}/oauth2/token`, { method: 'POST', body, headers });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const REFUSED = { status: 400, body: expect.objectContaining({ error: 'invalid_grant' }) as unknown };
  const ACCOUNT_REQUIRED = {
    status: 400,
    body: { error: 'invalid_request', error_description: expect.stringContaining('client_id') as unknown },
  };
  const claimsOf = (token: unknown) =>
    JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >;

  it('gives a trusted workload a token of ten minutes, once for each of its tokens', async () => {
    const token = issuer.token();
    const { status, body } = await exchange(token);
    expect([status, body['expires_in'], 'refresh_token' in body]).toEqual([200, 600, false]);
    const { sub, iat, exp, act } = claimsOf(body['access_token']);
    expect([sub, Number(exp) - Number(iat), act]).toEqual([accountId, 600, undefined]);
    expect(await app.get(ME, String(body['access_token']))).toMatchObject({
      status: 200,
      body: { id: accountId, kind: 'service' },
    });
    expect(await exchange(token)).toMatchObject(REFUSED);
  });

  it('refuses tokens that a rule does not describe', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const refused: Record<string, string> = {
      'another audience': issuer.token({ aud: 'other' }),
      'another repository': issuer.token({ repository: 'evil/app' }),
      'a repository in another one': issuer.token({ repository: 'octo/app/evil' }),
      'a pull request': issuer.token({ sub: 'repo:octo/app:pull_request' }),
      expired: issuer.token({ iat: now - 600, exp: now - 300 }),
      'without an expiry': issuer.token({ exp: undefined }),
      'not valid yet': issuer.token({ nbf: now + 60 }),
      'issued in the future': issuer.token({ iat: now + 60, exp: now + 360 }),
      'of more than a day': issuer.token({ exp: now + 86_460 }),
      'another key': issuer.token({}, foreign.privateKey),
      'another issuer': other.token(),
      'the name of the issuer, and the key of another': other.token({ iss: issuer.url }),
      'no token': 'x',
    };
    for (const [what, token] of Object.entries(refused))
      expect([what, await exchange(token)]).toEqual([what, expect.objectContaining({ status: 400 })]);
    expect(other.requests).toBe(0);
    expect(await exchange(issuer.token(), { client_id: organization.id })).toMatchObject(REFUSED);
    expect((await exchange(issuer.token({ iat: now + 3, exp: now + 86_400 }))).status).toBe(200);
  });

  it('compares a token with the rule of its audience, and with the key that it names', async () => {
    await trust({ audience: 'second' });
    expect((await exchange(issuer.token({ aud: 'second' }), { client_id: accountId })).status).toBe(200);
    const jwk = other.pair.publicKey.export({ format: 'jwk' });
    other.keySet = JSON.stringify({ keys: [{ ...jwk, kid: 'two' }] });
    await trust({ issuer: other.url });
    expect(await exchange(other.token())).toMatchObject(REFUSED);
  });

  it('passes over a key that it cannot read', async () => {
    const odd = [
      { kty: 'EC', crv: 'P-256', kid: 'one' },
      { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'one' },
    ];
    const own = await Issuer.start();
    own.keySet = JSON.stringify({
      keys: [...odd, { ...own.pair.publicKey.export({ format: 'jwk' }), kid: 'one' }],
    });
    await trust({ issuer: own.url });
    expect((await exchange(own.token())).status).toBe(200);
    await own.stop();
  });

  it('takes no keys by metadata of another issuer', async () => {
    other.named = `${other.url}/`;
    await trust({ issuer: other.url });
    expect(await exchange(other.token())).toMatchObject(REFUSED);
    other.named = null;
    expect((await exchange(other.token())).status).toBe(200);
  });

  it('counts each id of a token once for its issuer alone', async () => {
    await trust({ issuer: other.url });
    const jti = randomUUID();
    const answers = [issuer, other, issuer].map((of) => of.token({ jti }));
    const statuses: number[] = [];
    for (const token of answers) statuses.push((await exchange(token)).status);
    expect(statuses).toEqual([200, 200, 400]);
    const withoutId = issuer.token({ jti: undefined });
    expect([(await exchange(withoutId)).status, (await exchange(withoutId)).status]).toEqual([200, 200]);
  });

  // Attack F10: any organization may trust the same build of a public repository.
  describe('beside the rule of a stranger', () => {
    let strange: string;
    beforeEach(async () => {
      const stranger = await Organization.found(app);
      const made = await stranger.call('POST', '/service-accounts', { name: 'CI', roles: ['admin'] });
      strange = String(made.body['id']);
      const rule = { issuer: issuer.url, audience: 'gatehouse', conditions: { sub: MAIN } };
      const trusted = await stranger.call('POST', `/service-accounts/${strange}/trust-rules`, rule);
      expect(trusted.status).toBe(201);
    });

    it('gives a token of the account that the workload names', async () => {
      const { status, body } = await exchange(issuer.token());
      expect([status, claimsOf(body['access_token'])['sub']]).toEqual([200, accountId]);
    });

    it('never gives a token of an account that the workload does not name', async () => {
      expect(await exchangeUnnamed(issuer.token())).toMatchObject(ACCOUNT_REQUIRED);
      const rule = `/service-accounts/${accountId}/trust-rules/${ruleId}`;
      expect((await organization.call('DELETE', rule)).status).toBe(204);
      expect(await exchangeUnnamed(issuer.token())).toMatchObject(ACCOUNT_REQUIRED);
      expect(await exchange(issuer.token())).toMatchObject(REFUSED);
      expect(issuer.requests).toBe(0);
    });

    it('takes the account from the audience, which only its own rules can name', async () => {
      const token = () => issuer.token({ aud: ['gatehouse', accountId] });
      const { status, body } = await exchangeUnnamed(token());
      expect([status, claimsOf(body['access_token'])['sub']]).toEqual([200, accountId]);
      expect(await exchangeUnnamed(issuer.token({ aud: accountId }))).toMatchObject(REFUSED);
      expect((await trust({ audience: accountId })).status).toBe(201);
      expect((await exchangeUnnamed(issuer.token({ aud: accountId }))).status).toBe(200);
      const both = issuer.token({ aud: ['gatehouse', accountId, strange] });
      expect(await exchangeUnnamed(both)).toMatchObject(ACCOUNT_REQUIRED);
    });

    // google-auth-library sends the client_id of a configuration in no other way.
    it('takes the account from Basic with an empty secret', async () => {
      const basic = (credentials: string) => ({
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
      });
      const { status, body } = await exchangeUnnamed(issuer.token(), {}, basic(`${accountId}:`));
      expect([status, claimsOf(body['access_token'])['sub']]).toEqual([200, accountId]);
      const both = await exchangeUnnamed(issuer.token(), { client_id: strange }, basic(`${accountId}:`));
      expect(both).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
      const same = await exchangeUnnamed(issuer.token(), { client_id: accountId }, basic(`${accountId}:`));
      expect(same.status).toBe(200);
      const secret = await exchangeUnnamed(issuer.token(), {}, basic(`${accountId}:guess`));
      expect(secret).toMatchObject(ACCOUNT_REQUIRED);
    });
  });

  it('compares claims of any form', async () => {
    await trust({ conditions: { run: '7', fork: 'false', environment: 'prod*' } });
    const claims = { repository: 'other/app', sub: 'x', run: 7, fork: false, environment: 'production' };
    const { status, body } = await exchange(issuer.token(claims));
    expect([status, claimsOf(body['access_token'])['sub']]).toEqual([200, accountId]);
    for (const given of [
      { ...claims, fork: true },
      { ...claims, environment: ['production'] },
      { ...claims, environment: 'prod/uction' },
      { ...claims, environment: null },
      { ...claims, aud: ['gatehouse\u0000'] },
      { ...claims, environment: '\ud800' },
    ])
      expect([given, await exchange(issuer.token(given))]).toEqual([given, expect.objectContaining(REFUSED)]);
    for (const iss of [`${issuer.url}\u0000`, '\ud800'])
      expect(await exchange(issuer.token({ iss }))).toMatchObject(REFUSED);
    expect(await exchange(issuer.token(), { client_id: '\u0000' })).toMatchObject({ status: 400 });
  });

  it('notes the use of the account', async () => {
    const path = `/service-accounts/${accountId}`;
    expect((await organization.call('GET', path)).body['lastUsedAt']).toBeNull();
    expect((await exchange(issuer.token())).status).toBe(200);
    await eventually('the use is noted', async () => {
      const { body } = await organization.call('GET', path);
      return typeof body['lastUsedAt'] === 'string';
    });
  });

  it('issues access tokens alone, and takes no actor token', async () => {
    const type = (name: string) => `urn:ietf:params:oauth:token-type:${name}`;
    const refused = { status: 400, body: { error: 'invalid_request' } };
    for (const name of ['refresh_token', 'id_token', 'saml2'])
      expect(await exchange(issuer.token(), { requested_token_type: type(name) })).toMatchObject(refused);
    expect(await exchange(issuer.token(), { actor_token: 'x' })).toMatchObject(refused);
    const answer = await exchange(issuer.token(), { requested_token_type: type('access_token') });
    expect(answer).toMatchObject({ status: 200, body: { issued_token_type: type('access_token') } });
  });

  it('is refused in an archived organization, as is what it gave', async () => {
    const own = organization;
    organization = await Organization.found(app);
    const made = await organization.call('POST', '/service-accounts', { name: 'CI', roles: ['admin'] });
    accountId = String(made.body['id']);
    await trust();
    const client_id = accountId;
    const { body } = await exchange(issuer.token(), { client_id });
    expect((await app.get(ME, String(body['access_token']))).status).toBe(200);
    expect((await organization.call('POST', '/archive')).status).toBeLessThan(300);
    expect((await app.get(ME, String(body['access_token']))).status).toBe(401);
    expect(await exchange(issuer.token(), { client_id })).toMatchObject(REFUSED);
    organization = own;
  });

  it('is refused once the deletion of the organization has started, as is what it gave', async () => {
    const own = organization;
    organization = await Organization.found(app);
    const made = await organization.call('POST', '/service-accounts', { name: 'CI', roles: ['admin'] });
    accountId = String(made.body['id']);
    await trust();
    const client_id = accountId;
    const token = String((await exchange(issuer.token(), { client_id })).body['access_token']);
    expect((await app.get(ME, token)).status).toBe(200);
    await startDeletion(app, organization.id);
    await eventually('the token is refused', async () => (await app.get(ME, token)).status === 401, 10_000);
    expect(await exchange(issuer.token(), { client_id })).toMatchObject(REFUSED);
    organization = own;
  });

  it('takes no key of a person', async () => {
    const given = { tenantId: organization.id, name: 'Laptop' };
    const { token } = organization.owner.person;
    const { body } = await app.call('POST', `${ME}/keys`, given, { token });
    const key = String(body['key']);
    expect((await app.get(ME, key)).status).toBe(200);
    expect(await exchangeUnnamed(key)).toMatchObject(REFUSED);
  });

  it('names who acts, to two', async () => {
    const act = { sub: 'person', act: { sub: 'agent' } };
    const { body } = await exchange(issuer.token({ act }));
    expect(claimsOf(body['access_token'])['act']).toEqual(act);
    const chain = { sub: 'one', act: { sub: 'two', act: { sub: 'three' } } };
    expect(await exchange(issuer.token({ act: chain }))).toMatchObject(REFUSED);
  });

  it('refuses rules that trust any workload of an issuer', async () => {
    for (const conditions of [{}, { iss: issuer.url }, { sub: '*' }, { sub: '**' }, { sub: 7 }])
      expect([conditions, (await trust({ conditions })).body['violations']]).toEqual([
        conditions,
        [expect.objectContaining({ propertyPath: 'conditions' })],
      ]);
    const github = { issuer: 'https://token.actions.githubusercontent.com' };
    for (const conditions of [{ sub: 'repo:**' }, { ref: 'refs/heads/main' }])
      expect((await trust({ ...github, conditions })).body['violations']).toEqual([
        expect.objectContaining({ propertyPath: 'conditions' }),
      ]);
  });

  it('bounds what it reads, and nothing at private addresses that are not trusted', async () => {
    issuer.keySet = `{"keys":[${'{},'.repeat(700_000)}{}]}`;
    expect(await exchange(issuer.token())).toMatchObject(REFUSED);
    const issuers = ['https://10.0.0.1', 'https://[::1]', 'https://localhost:8443', 'https://ci.localhost.'];
    for (const unread of [...issuers, 'http://ci.example.com', 'https://user@ci.example.com'])
      expect([unread, (await trust({ issuer: unread })).body['violations']]).toEqual([
        unread,
        [expect.objectContaining({ propertyPath: 'issuer' })],
      ]);
    // A rule from before this was refused.
    await app.sql("UPDATE trust_rules SET issuer = 'https://10.0.0.1' WHERE id = $1", [ruleId]);
    expect(await exchange(issuer.token({ iss: 'https://10.0.0.1' }))).toMatchObject(REFUSED);
  });

  it('ends with the rule', async () => {
    const { body } = await exchange(issuer.token());
    const token = String(body['access_token']);
    expect((await app.get(ME, token)).status).toBe(200);
    const path = `/service-accounts/${accountId}/trust-rules`;
    expect(itemsOf(await organization.call('GET', path))).toEqual([expect.objectContaining({ id: ruleId })]);
    expect((await organization.call('DELETE', `${path}/${ruleId}`)).status).toBe(204);
    await eventually('the token is refused', async () => (await app.get(ME, token)).status === 401);
    expect(await exchange(issuer.token())).toMatchObject(REFUSED);
  });

  it('takes keys of service accounts, whose tokens end with them', async () => {
    const path = `/service-accounts/${accountId}/keys`;
    const made = await organization.call('POST', path, { name: 'Nightly', scopes: ['iam:member:read'] });
    const { status, body } = await exchangeUnnamed(String(made.body['key']));
    expect([status, body['scope']]).toEqual([200, 'iam:member:read']);
    const token = String(body['access_token']);
    expect((await app.get(`${organization.path}/members`, token)).status).toBe(200);
    expect((await app.get(`${organization.path}/service-accounts`, token)).status).toBe(403);
    await organization.call('DELETE', `${path}/${String(made.body['id'])}`);
    expect((await app.get(ME, token)).status).toBe(401);
    expect(await exchange(String(made.body['key']))).toMatchObject(REFUSED);
  });

  it('takes a key for the account alone that it is of', async () => {
    const path = `/service-accounts/${accountId}/keys`;
    const key = String((await organization.call('POST', path, { name: 'Nightly' })).body['key']);
    const made = await organization.call('POST', '/service-accounts', { name: 'CD', roles: ['admin'] });
    const other = String(made.body['id']);
    expect((await exchange(key, { client_id: accountId })).status).toBe(200);
    expect(await exchange(key, { client_id: other })).toMatchObject(REFUSED);
  });
});
