import { batch } from '../support/batch.mjs';
import { send } from '../support/load.mjs';
import { idOf, populate, tenantOf } from '../support/people.mjs';
import { readWhole } from '../support/plans.mjs';

const PEOPLE = 1_000;
const GROUP_SIZE = 50;
/** Requests of an identity provider at a time. */
const AT_ONCE = 4;
const FEW_RECORDS = 1_000;
const DOMAIN = 'directory.example';
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
/** Paced reads of other callers. */
const READS = { connections: 4, paceMs: 20 };

/**
 * Measures the first synchronization of a directory (SCIM), reads of others beside one, and the
 * filters that identity providers send, with many records and with few.
 */
export default async function directories(bench) {
  const service = await bench.service({ RATE_SCIM: '1000000000' });
  await populate(service.query, { people: PEOPLE });
  const tokens = await bench.tokensOf(service);
  const directory = await Directory.create(service, tokens);
  const people = bench.of({ full: 10_000, quick: 2_000, smoke: 200 });
  const seconds = await directory.synchronize(people);
  const [beside, many] = [await readsBeside(bench, service, tokens), await filters(bench)];
  const size = `${people.toLocaleString('en')} people, ${people / GROUP_SIZE} groups`;
  return [
    { name: `first synchronization, ${size}`, unit: 's', goal: { atMost: 180 }, ours: seconds },
    {
      name: 'read beside a synchronization, p99',
      against: 'none',
      unit: 'ms',
      goal: { atMost: 2 },
      ...beside,
    },
    ...many,
  ];
}

/** A directory of the first organization, as its identity provider uses it. */
class Directory {
  #service;
  #token;
  #path;
  #added = 0;

  /** @param organization number of the organization */
  static async create(service, tokens, organization = 0) {
    const directory = new Directory();
    const tenant = tenantOf(organization * 10);
    const owner = tokens.access(organization * 10, { inTenant: true });
    const path = `/api/v1/iam/tenants/${tenant}/directories`;
    const post = async (to, body) =>
      JSON.parse(await send(service, { method: 'POST', path: to, token: owner, body }));
    const { id } = await post(path, { name: 'Entra ID' });
    const { token } = await post(`${path}/${id}/tokens`, { name: 'Benchmark' });
    await service.query(
      `INSERT INTO tenant_domains (tenant_id, id, domain, token, status, verified_at) VALUES ($1, $2, $3, $2, 'verified', now())`,
      [tenant, idOf('D', organization), `o${organization}.${DOMAIN}`],
    );
    directory.#service = service;
    directory.#token = token;
    directory.#path = `/api/scim/v2/${id}`;
    directory.id = id;
    directory.tenant = tenant;
    directory.domain = `o${organization}.${DOMAIN}`;
    return directory;
  }

  /** A request that reads. */
  get(path) {
    return { path: this.#path + path, token: this.#token };
  }

  /** Creates people, and groups of fifty of them. Returns the seconds that it took. */
  async synchronize(people) {
    const began = performance.now();
    const ids = [];
    await batch(people, AT_ONCE, async (n) => (ids[n] = await this.#add()));
    await batch(people / GROUP_SIZE, AT_ONCE, (n) =>
      this.#post('/Groups', {
        displayName: `Group ${began} ${n}`,
        members: ids.slice(n * GROUP_SIZE, (n + 1) * GROUP_SIZE).map((value) => ({ value })),
      }),
    );
    return (performance.now() - began) / 1_000;
  }

  /** Creates people until stopped. */
  synchronizing() {
    let goes = true;
    const over = batch(AT_ONCE, AT_ONCE, async () => {
      while (goes) await this.#add();
    });
    return () => {
      goes = false;
      return over;
    };
  }

  async #add() {
    const email = `p${(this.#added += 1)}@${this.domain}`;
    const { id } = await this.#post('/Users', {
      schemas: [USER],
      userName: email,
      externalId: `E${this.#added}`,
      active: true,
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ value: email, type: 'work', primary: true }],
    });
    return id;
  }

  async #post(path, body) {
    const request = { method: 'POST', path: this.#path + path, token: this.#token, body };
    return JSON.parse(await send(this.#service, request));
  }
}

/** Reads of another organization while a directory creates people, against the same without. */
async function readsBeside(bench, service, tokens) {
  const directory = await Directory.create(service, tokens, 1);
  const reads = await bench.load(
    Array.from({ length: 100 }, (_, n) => ({ path: '/api/v1/iam/me', token: tokens.access(500 + n) })),
  );
  const how = { ...READS, seconds: bench.seconds };
  await bench.warm(() => reads.put(service, { connections: READS.connections, seconds: bench.seconds }));
  const { p99 } = await bench.paired(
    async () => {
      const stop = directory.synchronizing();
      try {
        return await reads.put(service, how);
      } finally {
        await stop();
      }
    },
    () => reads.put(service, how),
  );
  return p99;
}

/** The usual filters, which all must use an index. */
async function filters(bench) {
  const records = Number(
    process.env.BENCH_RECORDS ?? bench.of({ full: 1_000_000, quick: 100_000, smoke: 5_000 }),
  );
  const [large, small] = [await side(bench, records), await side(bench, FEW_RECORDS)];
  await bench.warm(large);
  await bench.warm(small);
  const { p50 } = await bench.paired(large, small);
  return [
    {
      name: `five filters with ${records.toLocaleString('en')} records`,
      against: `with ${FEW_RECORDS.toLocaleString('en')}`,
      unit: 'ms',
      goal: { atMost: 1.15 },
      ...p50,
    },
  ];
}

async function side(bench, records) {
  const service = await bench.service({ RATE_SCIM: '1000000000' });
  await populate(service.query, { people: 10 });
  const directory = await Directory.create(service, await bench.tokensOf(service));
  await service.query(
    `INSERT INTO directory_users (tenant_id, directory_id, id, user_name_key, external_id, email_key, display_name_key, attributes)
     SELECT $1, $2, '01BENCHU' || lpad(n::text, 18, '0'), 'u' || n, 'e' || n, 'u' || n || '@${DOMAIN}', 'ada ' || n,
       jsonb_build_object('userName', 'u' || n, 'externalId', 'e' || n,
         'emails', jsonb_build_array(jsonb_build_object('type', 'work', 'value', 'u' || n || '@${DOMAIN}'))) FROM generate_series(0, $3::int - 1) n`,
    [directory.tenant, directory.id, records],
  );
  await service.query(
    `INSERT INTO directory_groups (tenant_id, directory_id, id, external_id, display_name_key, attributes)
     SELECT $1, $2, '01BENCHW' || lpad(n::text, 18, '0'), 'g' || n, 'group ' || n, jsonb_build_object('displayName', 'Group ' || n)
     FROM generate_series(0, $3::int - 1) n`,
    [directory.tenant, directory.id, records],
  );
  await service.query('VACUUM ANALYZE');
  const step = Math.max(1, Math.floor(records / 200));
  const asked = (n) =>
    [
      ['Users', `userName eq "U${n}"`],
      ['Users', `externalId eq "e${n}"`],
      ['Users', `emails[type eq "work"].value eq "u${n}@${DOMAIN}"`],
      ['Groups', `displayName eq "Group ${n}"`],
      ['Groups', `externalId eq "g${n}"`],
    ].map(([list, filter]) =>
      directory.get(`/${list}?filter=${encodeURIComponent(filter)}&startIndex=1&count=100`),
    );
  const statements = await bench.statementsOf(service, (_, turn) => asked(turn));
  const whole = (await readWhole(service.query, statements)).filter((table) => table.startsWith('directory'));
  if (whole.length > 0) throw new Error(`Read from end to end: ${whole.join(', ')}.`);
  const requests = Array.from({ length: 200 }, (_, n) => asked((n * step) % records)).flat();
  const load = await bench.load(requests);
  return () => load.put(service, { connections: 2, seconds: bench.seconds });
}
