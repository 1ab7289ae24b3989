import { Directory, DOMAIN, GROUP_SIZE } from '../support/directory.mjs';
import { populate } from '../support/people.mjs';
import { readWhole } from '../support/plans.mjs';

const PEOPLE = 1_000;
const FEW_RECORDS = 1_000;
/** Paced reads of other callers. */
const READS = { connections: 4, paceMs: 20 };

/**
 * Measures the first synchronization of a directory (SCIM), reads of others during one, and the
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
