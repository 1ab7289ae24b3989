import { randomBytes } from 'node:crypto';
import { createApiKey, hashApiKey, KeyDerivation } from '../../dist/src/platform/crypto/index.js';
import { Secret } from '../../dist/src/platform/config/secret.js';
import { send } from '../support/load.mjs';
import { idOf, populate, tenantOf } from '../support/people.mjs';
import { residentOf } from '../support/resident.mjs';

const PEOPLE = 1_000;
const KEYS = { full: 10_000, quick: 1_000, smoke: 100 };
const CONNECTIONS = 32;

/**
 * Measures a read by API keys against the same read by access tokens, and by many keys against one;
 * the memory once many keys are in use; and access tokens issued for client secrets.
 */
export default async function apiKeys(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  const tokens = await bench.tokensOf(service);
  const keys = await createKeys(service, bench.of(KEYS));
  const read = (person, token) => ({ path: `/api/v1/iam/tenants/${tenantOf(person)}/roles`, token });
  const byKey = keys.map(({ plainKey, person }) => read(person, plainKey));
  const byToken = keys.map(({ person }) => read(person, tokens.access(person, { inTenant: true })));
  const answers = await Promise.all([byKey[0], byToken[0]].map((request) => send(service, request)));
  if (answers[0] !== answers[1]) throw new Error('A key and a token do not read the same.');
  const how = { connections: CONNECTIONS, seconds: bench.seconds };
  const everyKey = await bench.load(byKey);
  await everyKey.all(service, how);
  const resident = residentOf(service.pid);
  const loads = await Promise.all(
    [byKey, byToken, byKey.slice(0, 1)].map((requests) => bench.load(requests)),
  );
  const [putKeys, putTokens, putOne] = loads.map((load) => () => load.put(service, how));
  for (const put of [putKeys, putTokens, putOne]) await bench.warm(put);
  const rows = [];
  for (const { name, against, ours, theirs } of [
    { name: 'read by API key', against: 'the same by access token', ours: putKeys, theirs: putTokens },
    {
      name: `read by ${keys.length} API keys`,
      against: 'the same by one key',
      ours: putKeys,
      theirs: putOne,
    },
  ]) {
    const { perSecond } = await bench.paired(ours, theirs);
    rows.push({ name, against, unit: 'requests/s', goal: { atLeast: 0.8 }, ...perSecond });
  }
  const name = `memory with ${keys.length.toLocaleString('en')} API keys in use`;
  rows.push({ name, unit: 'MB', goal: { atMost: 250 }, ours: resident });
  const issued = await bench.load(await tokenRequests(service, keys));
  await bench.warm(() => issued.put(service, how));
  const perCore = 1e6 / (await issued.put(service, how)).cpu;
  rows.push({
    name: 'client_credentials, per core',
    unit: 'tokens/s',
    goal: { atLeast: 2_500 },
    ours: perCore,
  });
  return rows;
}

/** Creates a client secret of each service account by SQL, and requests for a token by it. */
async function tokenRequests({ rootSecret, query }, keys) {
  const derivation = derivationOf(rootSecret);
  const people = [...new Set(keys.map(({ person }) => person))];
  const secrets = people.map(() => `ghs_${randomBytes(32).toString('base64url')}`);
  await query(
    `INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, name, secret_hash, created_by)
     SELECT tenant_id, owner_id, id, 'service-account', 'secret', 'Bench', decode(hash, 'hex'), owner_id
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[]) made (tenant_id, owner_id, id, hash)`,
    [
      people.map(tenantOf),
      people.map((person) => idOf('R', person)),
      people.map((person) => idOf('C', person)),
      secrets.map((secret) => hashApiKey(derivation, 'api-key', secret).toString('hex')),
    ],
  );
  return people.map((person, n) => ({
    method: 'POST',
    path: '/oauth2/token',
    form: { grant_type: 'client_credentials', client_id: idOf('R', person), client_secret: secrets[n] },
  }));
}

const derivationOf = (rootSecret) => new KeyDerivation(new Secret(Buffer.from(rootSecret, 'base64')));

/** Creates keys of service accounts by SQL, ten to an account, with the service's own code. */
async function createKeys({ rootSecret, query }, count) {
  const derivation = derivationOf(rootSecret);
  const keys = Array.from({ length: count }, (_, n) => {
    const { id, plainKey } = createApiKey('sa');
    return { lookup: id, plainKey, person: Math.floor(n / 10) % PEOPLE, id: idOf('K', n) };
  });
  const people = [...new Set(keys.map(({ person }) => person))];
  const [tenants, accounts] = [people.map(tenantOf), people.map((person) => idOf('R', person))];
  await query(
    `INSERT INTO service_accounts (tenant_id, id, name, created_by)
     SELECT tenant_id, id, 'Bench', id FROM unnest($1::text[], $2::text[]) made (tenant_id, id)`,
    [tenants, accounts],
  );
  await query(
    `INSERT INTO service_account_roles (tenant_id, account_id, role_id)
     SELECT tenant_id, made.id, r.id FROM unnest($1::text[], $2::text[]) made (tenant_id, id)
       JOIN roles r USING (tenant_id) WHERE r.key = 'admin'`,
    [tenants, accounts],
  );
  await query(
    `INSERT INTO machine_credentials (tenant_id, owner_id, id, owner_kind, kind, lookup, name, secret_hash, created_by)
     SELECT tenant_id, owner_id, id, 'service-account', 'key', lookup, 'Bench', decode(hash, 'hex'), owner_id
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[]) made (tenant_id, owner_id, id, lookup, hash)`,
    [
      keys.map(({ person }) => tenantOf(person)),
      keys.map(({ person }) => idOf('R', person)),
      keys.map(({ id }) => id),
      keys.map(({ lookup }) => lookup),
      keys.map(({ plainKey }) => hashApiKey(derivation, 'api-key', plainKey).toString('hex')),
    ],
  );
  return keys;
}
