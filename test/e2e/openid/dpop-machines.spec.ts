import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { DpopNonces } from '../../../src/session/index.js';
import { Organization } from '../../support/organization.js';
import { hashOf, ProofKey } from '../../support/proof-key.js';
import { withApp } from '../../support/test-app.js';
import { WorkloadIssuer } from '../../support/workload-issuer.js';

const ISSUER = 'http://gatehouse.test';
const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TYPE = 'urn:ietf:params:oauth:token-type:';
const SUBJECT = 'repo:octo/app:ref:refs/heads/main';

describe('A proof of a key at each grant of service accounts', () => {
  let organization: Organization;
  let issuer: WorkloadIssuer;
  let key: ProofKey;
  let accountId: string;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const app = withApp({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    issuer = await WorkloadIssuer.start();
    key = await ProofKey.create();
    const account = { name: 'CI', roles: ['admin'] };
    accountId = String((await organization.call('POST', '/service-accounts', account)).body['id']);
  });
  afterAll(() => issuer.stop());

  const ofAccount = (path: string, body: object) =>
    organization.call('POST', `/service-accounts/${accountId}/${path}`, body);
  const post = async (form: Record<string, string>, dpop: string | null) => {
    const request = {
      method: 'POST',
      headers: { ...(dpop !== null && { dpop }) },
      body: new URLSearchParams(form),
    };
    const response = await fetch(`${app.url}/oauth2/token`, request);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const proof = () => {
    const nonce = app.app.get(DpopNonces, { strict: false }).current();
    return key.prove({ htm: 'POST', htu: `${ISSUER}/oauth2/token`, nonce });
  };
  const exchange = (token: string, type: string) => ({
    grant_type: EXCHANGE,
    client_id: accountId,
    subject_token: token,
    subject_token_type: TYPE + type,
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    [
      'client credentials by a secret',
      async () => {
        const { body } = await ofAccount('credentials', { kind: 'secret' });
        const secret = { client_id: accountId, client_secret: String(body['clientSecret']) };
        return { grant_type: 'client_credentials', ...secret };
      },
    ],
    [
      'client credentials by an assertion',
      async () => {
        await ofAccount('credentials', { kind: 'public_key', jwk: pair.publicKey.export({ format: 'jwk' }) });
        const assertion = await new SignJWT({ jti: randomUUID() })
          .setProtectedHeader({ alg: 'ES256' })
          .setIssuer(accountId)
          .setSubject(accountId)
          .setAudience(ISSUER)
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(pair.privateKey);
        return {
          grant_type: 'client_credentials',
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: assertion,
        };
      },
    ],
    [
      'the exchange of a key',
      async () => {
        const { body } = await ofAccount('keys', { name: 'CI' });
        return exchange(String(body['key']), 'access_token');
      },
    ],
    [
      'the exchange of a token of another issuer',
      async () => {
        const rule = { issuer: issuer.url, audience: 'gatehouse', conditions: { sub: SUBJECT } };
        await ofAccount('trust-rules', rule);
        return exchange(issuer.token(SUBJECT, Math.floor(Date.now() / 1_000), 300), 'jwt');
      },
    ],
  ])('binds the token of %s', async (_, formOf) => {
    const form = await formOf();
    const { status, body } = await post(form, await proof());
    expect([status, body['token_type']]).toEqual([200, 'DPoP']);
    const token = String(body['access_token']);
    expect(decodeJwt(token)['cnf']).toEqual({ jkt: key.jkt });
    const path = `${organization.path}/members`;
    const read = async (scheme: string, dpop: string | null) => {
      const headers = { authorization: `${scheme} ${token}`, ...(dpop !== null && { dpop }) };
      return (await fetch(app.url + path, { headers })).status;
    };
    expect(await read('Bearer', null)).toBe(401);
    expect(await read('DPoP', await key.prove({ htm: 'GET', htu: ISSUER + path, ath: hashOf(token) }))).toBe(
      200,
    );
  });

  it('binds none without a proof', async () => {
    const { body } = await ofAccount('credentials', { kind: 'secret' });
    const secret = { client_id: accountId, client_secret: String(body['clientSecret']) };
    const issued = await post({ grant_type: 'client_credentials', ...secret }, null);
    expect(issued.body['token_type']).toBe('Bearer');
    expect(decodeJwt(String(issued.body['access_token']))).not.toHaveProperty('cnf');
  });
});
