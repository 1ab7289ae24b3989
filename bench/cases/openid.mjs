import { hashApiKey, KeyDerivation } from '../../dist/src/platform/crypto/index.js';
import { Secret } from '../../dist/src/platform/config/secret.js';
import {
  addSatellite,
  CLIENT_ID,
  CLIENT_SECRET,
  CODE_CHALLENGE,
  CODE_VERIFIER,
  REDIRECT_URI,
} from '../support/clients.mjs';
import { send } from '../support/load.mjs';
import { idOf, populate, tenantOf } from '../support/people.mjs';

const PEOPLE = { full: 1_000, quick: 200, smoke: 20 };
/** Codes of each second. A provider that exchanges more is done earlier. */
const CODES_PER_SECOND = 200;
const CONNECTIONS = 32;
const GOAL = 1.5;
/** A client of each algorithm of ID tokens. */
const CLIENTS = { RS256: CLIENT_ID, ES256: `${CLIENT_ID}-es256` };
const ALGS = Object.keys(CLIENTS);
const BASIC = basic(CLIENT_ID, CLIENT_SECRET);

/** The opponent to beat, and one that loses all tokens with its process. */
const PEERS = {
  'oidc-provider': { isDurable: true, goal: { atLeast: GOAL } },
  'oidc-provider in memory': { isDurable: false },
};
/** A resource for which oidc-provider signs tokens by ES256, as Gatehouse does. */
const RESOURCE = 'https://api.bench.example';

/** Measures tokens, introspections and userinfo next to oidc-provider on the same PostgreSQL. */
export default async function openid(bench) {
  const count = bench.of(PEOPLE);
  const service = await bench.service();
  await populate(service.query, { people: ALGS.length * count });
  const ours = { server: service, ...(await prepare(bench, service, count)) };
  const theirs = [];
  for (const [against, { isDurable, goal }] of Object.entries(PEERS))
    theirs.push({ against, goal, ...(await peerOf(bench, count, isDurable)) });
  const durable = theirs.filter(({ goal }) => goal);
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  const put = async ({ server }, requests, once) => {
    const load = await bench.load(requests);
    const found = await load.put(server, { ...how, once });
    return { perCore: 1e6 / found.cpu, cpu: found.cpu, requests: found.requests };
  };
  const rows = [];
  for (const [name, peers, requestsOf, once] of [
    ...ALGS.map((alg) => [
      `token by refresh, ${alg}`,
      alg === 'ES256' ? theirs : durable,
      ({ refresh }) => refresh[alg].map((token) => refreshBy(token, alg)),
    ]),
    ['token by client credentials', theirs, ({ machine }) => [machineBy(machine)]],
    // Neither stores signed tokens.
    [
      'token by client credentials, signed by both',
      durable,
      ({ machine, resource }) => [machineBy(machine, resource)],
    ],
    ['introspection', durable, ({ access }) => access.map(introspectionOf)],
    ['userinfo', durable, ({ access }) => access.map((token) => ({ path: '/oauth2/userinfo', token }))],
    ...ALGS.map((alg) => [
      `token by code, ${alg}`,
      alg === 'ES256' ? theirs : durable,
      async ({ codes }) =>
        (await codes(CODES_PER_SECOND * bench.seconds, alg)).map((code) => exchangeOf(code, alg)),
      true,
    ]),
  ]) {
    const putTo = async (side) => put(side, await requestsOf(side), once);
    for (const side of [ours, ...peers]) {
      await send(side.server, (await requestsOf(side))[0]);
      await bench.warm(() => putTo(side));
    }
    for (const peer of peers) {
      const { perCore } = await bench.paired(
        () => putTo(ours),
        () => putTo(peer),
      );
      const { against, goal } = peer;
      rows.push({ name: `${name}, per core of the service`, against, unit: '/s', goal, ...perCore });
    }
  }
  return rows;
}

/** Starts oidc-provider, and returns what its requests need. */
async function peerOf(bench, count, isDurable) {
  const server = await bench.peer(
    'oidc-provider',
    {
      DATABASE_URL: isDurable ? await bench.database('oidc_provider') : '',
      CLIENTS: JSON.stringify(CLIENTS),
      CLIENT_SECRET,
      REDIRECT_URI,
      CODE_CHALLENGE,
    },
    '/.well-known/openid-configuration',
  );
  return {
    server,
    refresh: await ofEach((alg) => seed(server, 'RefreshToken', count, alg)),
    access: await seed(server, 'AccessToken', count),
    codes: (wanted, alg) => seed(server, 'AuthorizationCode', wanted, alg),
    machine: basic(CLIENT_ID, CLIENT_SECRET),
    resource: RESOURCE,
  };
}

const refreshBy = (token, alg) =>
  formOf({ grant_type: 'refresh_token', refresh_token: token }, basic(CLIENTS[alg], CLIENT_SECRET));
const machineBy = (authorization, resource) =>
  formOf({ grant_type: 'client_credentials', ...(resource && { resource }) }, authorization);
const exchangeOf = (code, alg) =>
  formOf(
    { grant_type: 'authorization_code', code, code_verifier: CODE_VERIFIER, redirect_uri: REDIRECT_URI },
    basic(CLIENTS[alg], CLIENT_SECRET),
  );
const introspectionOf = (token) => ({ ...formOf({ token }), path: '/oauth2/introspect' });

function formOf(form, authorization = BASIC) {
  return { method: 'POST', path: '/oauth2/token', headers: { authorization }, form };
}

function basic(id, secret) {
  return `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
}

/** Returns something of each algorithm, by its name. */
async function ofEach(make) {
  const made = [];
  for (const alg of ALGS) made.push([alg, await make(alg)]);
  return Object.fromEntries(made);
}

async function seed(peer, kind, count, alg = 'RS256') {
  return JSON.parse(await send(peer, { path: `/seed?kind=${kind}&count=${count}&client=${CLIENTS[alg]}` }));
}

/** Prepares grants of both clients, codes and a service account by SQL; tokens by the service. */
async function prepare(bench, service, count) {
  const { query } = service;
  await addSatellite(query);
  await query('UPDATE satellites SET first_party = true, id_token_alg = $1', ['RS256']);
  await query(
    `INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash, first_party, id_token_alg)
     SELECT $1, $2, name, redirect_uris, secret_hash, first_party, 'ES256' FROM satellites`,
    [idOf('C', 1), CLIENTS.ES256],
  );
  // Of the client with RS256 for the first half of the people, of the other for the second.
  await query(
    "UPDATE grants SET client_id = CASE WHEN id < $1 THEN $2 ELSE $3 END, granted_scopes = '{openid,profile,email}'",
    [idOf('G', count), CLIENTS.RS256, CLIENTS.ES256],
  );
  const tokens = await bench.tokensOf(service);
  const refresh = await ofEach((alg) =>
    Array.from({ length: count }, (_, n) => tokens.refresh(n + count * ALGS.indexOf(alg), 1)),
  );
  const access = [];
  for (const token of refresh.RS256)
    access.push(JSON.parse(await send(service, refreshBy(token, 'RS256'))).access_token);
  let used = 0;
  const codes = async (wanted, alg) => {
    const first = used;
    used += wanted;
    await query(
      `INSERT INTO one_time_codes (code_hash, purpose, client_id, session_id, account_id, redirect_uri, code_challenge, scopes, grant_id, expires_at)
       SELECT sha256(('code-' || n)::bytea), 'openid', $1, s.id, s.account_id, $2, $3, '{openid,profile,email}', '01' || upper(substr(md5(random()::text), 1, 24)), now() + interval '1 day'
       FROM generate_series($4::int, $5::int) n JOIN sessions s ON s.id = '01BENCHS' || lpad((n % $6::int)::text, 18, '0')`,
      [CLIENTS[alg], REDIRECT_URI, CODE_CHALLENGE, first, used - 1, count],
    );
    return Array.from({ length: wanted }, (_, n) => `code-${first + n}`);
  };
  return { refresh, access, codes, machine: await addServiceAccount(service) };
}

/** Adds a service account with a secret. @returns its credentials as a header */
async function addServiceAccount({ rootSecret, query }) {
  const derivation = new KeyDerivation(new Secret(Buffer.from(rootSecret, 'base64')));
  const [tenant, id, secret] = [tenantOf(0), idOf('R', 0), 'ghs_bench'];
  await query("INSERT INTO service_accounts (tenant_id, id, name, created_by) VALUES ($1, $2, 'Bench', $2)", [
    tenant,
    id,
  ]);
  await query(
    `INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, name, secret_hash, created_by)
     VALUES ($1, $2, $3, 'service-account', 'secret', 'Bench', $4, $2)`,
    [tenant, id, idOf('K', 0), hashApiKey(derivation, 'api-key', secret)],
  );
  return basic(id, secret);
}
