import { createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import { createServer } from 'node:http';
import { addSatellite, CLIENT_ID, CLIENT_SECRET } from '../support/clients.mjs';
import { send } from '../support/load.mjs';
import { idOf, populate, sqlId, tenantOf } from '../support/people.mjs';

const PEOPLE = { full: 1_000, quick: 200, smoke: 20 };
/** Assertions of each second. A service that exchanges more is done earlier. */
const PER_SECOND = 6_000;
const CONNECTIONS = 32;
const API = 'https://api.bench.example';
const BASIC = `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`;
const [TENANT, CONNECTION, API_ID] = [tenantOf(0), idOf('N', 0), idOf('I', 0)];

/**
 * Share of the processor time that both signatures have of an exchange at the goal: 95 of 250 µs
 * (ADR 83).
 */
const SIGNATURES_SHARE = 0.38;
/** Signatures of each round. */
const SIGNATURES = 4_000;

/**
 * Measures the exchange of identity assertions, of people who have been asserted before, and next
 * to it its two signatures, of which one is verified, and one made.
 */
export default async function assertions(bench) {
  const count = bench.of(PEOPLE);
  const provider = await startProvider();
  const service = await bench.service({ CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
  await populate(service.query, { people: count });
  await addSatellite(service.query);
  await trust(service.query, provider.issuer, count);
  const requestsOf = (wanted) =>
    Array.from({ length: wanted }, (_, n) => requestOf(provider, service, n % count));
  for (const request of requestsOf(count)) await send(service, request);
  const put = async () => {
    const load = await bench.load(requestsOf(PER_SECOND * bench.seconds));
    return load.put(service, { connections: CONNECTIONS, seconds: bench.seconds, once: true });
  };
  await bench.warm(put);
  signaturePairs(SIGNATURES);
  const { perCore } = await bench.paired(
    async () => ({ perCore: 1e6 / (await put()).cpu }),
    async () => ({ perCore: signaturePairs(SIGNATURES) }),
  );
  provider.close();
  const name = 'exchange of an identity assertion, per core of the service';
  return [
    { name, unit: '/s', goal: { atLeast: 4_000 }, ours: perCore.ours },
    { name, against: 'its signatures', unit: '/s', goal: { atLeast: SIGNATURES_SHARE }, ...perCore },
  ];
}

/** Verifies and makes signatures by ES256. @returns pairs of them in a second of processor time */
function signaturePairs(count) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const content = Buffer.alloc(500, 'a');
  const dsaEncoding = 'ieee-p1363';
  const signature = sign('sha256', content, { key: privateKey, dsaEncoding });
  const before = process.cpuUsage();
  for (let n = 0; n < count; n += 1) {
    verify('sha256', content, { key: publicKey, dsaEncoding }, signature);
    sign('sha256', content, { key: privateKey, dsaEncoding });
  }
  const { user, system } = process.cpuUsage(before);
  return (1e6 * count) / (user + system);
}

/** An identity provider that publishes one key, and signs by it. */
async function startProvider() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = {
    ...createPublicKey(privateKey).export({ format: 'jwk' }),
    kid: 'bench',
    alg: 'ES256',
    use: 'sig',
  };
  const server = createServer((request, response) => {
    const document = request.url.endsWith('/jwks')
      ? { keys: [key] }
      : {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
        };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const encode = (part) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const header = encode({ alg: 'ES256', kid: 'bench', typ: 'oauth-id-jag+jwt' });
  const assert = (claims) => {
    const content = `${header}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(content), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${content}.${signature.toString('base64url')}`;
  };
  return { issuer, assert, close: () => server.close() };
}

function requestOf({ issuer, assert }, { base }, person) {
  const iat = Math.floor(Date.now() / 1_000);
  const assertion = assert({
    iss: issuer,
    sub: `person-${person}`,
    aud: base,
    client_id: CLIENT_ID,
    resource: API,
    scope: 'read',
    jti: randomUUID(),
    iat,
    exp: iat + 300,
    auth_time: iat,
  });
  return {
    method: 'POST',
    path: '/oauth2/token',
    headers: { authorization: BASIC },
    form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
  };
}

/** Makes all people members of one organization, whose connection knows them, with an API. */
async function trust(query, issuer, count) {
  const people = `generate_series(0, ${count - 1}) n`;
  await query(
    `INSERT INTO members (tenant_id, user_id) SELECT $1, ${sqlId('A', 'n')} FROM ${people} ON CONFLICT DO NOTHING`,
    [TENANT],
  );
  await query(
    `INSERT INTO connections (tenant_id, id, kind, name, status, settings_version, tested_version, provisioning, identity_assertions)
     VALUES ($1, $2, 'oidc', 'Bench', 'active', 1, 1, '{}', true)`,
    [TENANT, CONNECTION],
  );
  await query(
    `INSERT INTO oidc_connections (tenant_id, connection_id, issuer, client_id, client_authentication)
     VALUES ($1, $2, $3, 'bench', 'private_key_jwt')`,
    [TENANT, CONNECTION, issuer],
  );
  await query(
    `INSERT INTO external_identities (id, account_id, kind, connection_id, issuer, subject)
     SELECT ${sqlId('E', 'n')}, ${sqlId('A', 'n')}, 'oidc', $1, $2, 'person-' || n FROM ${people}`,
    [CONNECTION, issuer],
  );
  await query('UPDATE satellites SET tenant_id = $1, grant_types = $2', [
    TENANT,
    ['urn:ietf:params:oauth:grant-type:jwt-bearer'],
  ]);
  await query(
    `INSERT INTO apis (id, tenant_id, identifier, name, scopes, access_token_seconds, access_token_alg)
     VALUES ($1, $2, $3, 'Bench', '[{"name": "read", "title": "Read"}]', 600, 'ES256')`,
    [API_ID, TENANT, API],
  );
  await query("INSERT INTO api_clients (api_id, client_id, scopes) VALUES ($1, $2, '{read}')", [
    API_ID,
    CLIENT_ID,
  ]);
}
