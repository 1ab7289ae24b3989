import { idOf, populate, sqlId, tenantOf } from '../support/people.mjs';
import { readWhole } from '../support/plans.mjs';

/** People with organizations; the others have only an account. */
const MEMBERS = 1_000;
/** Different queries of one kind. */
const QUERIES = 200;
const DOMAINS = 50_000;
const CONNECTION = idOf('C', 0);
const IDENTITIES = 500;

/** First names, each with a number after it for most people. */
const NAMES = ['Ada', 'Émile', 'Grace', 'Zoë', 'Björn', 'Chidi', 'Mei', 'Noor', 'Oleg', 'Tomás'];

/**
 * Measures each kind of query by which operators find people. Every statement must use an index.
 */
export default async function operatorSearch(bench) {
  // With fewer people, reading the whole table is right.
  const sizes = { full: 10_000_000, quick: 200_000, smoke: 100_000 };
  const people = Number(process.env.BENCH_SEARCH ?? bench.of(sizes));
  const service = await bench.service();
  await populate(service.query, { people: MEMBERS });
  await addPeople(service.query, people);
  const of = (count) => (n) => Math.floor((n * 7_919) % count);
  const someone = of(people);
  const kinds = {
    id: (n) => ({ query: idOf('B', someone(n)) }),
    address: (n) => ({ query: addressOf(someone(n)) }),
    'beginning of an address': (n) => ({ query: `person${String(someone(n)).slice(0, 3)}` }),
    'a beginning of two letters': () => ({ query: 'pe' }),
    'a part of a name that many have': (n) => ({ query: `${NAMES[n % NAMES.length]} ${n % 100}`.slice(1) }),
    'a part of an address that few have': (n) => ({ query: `${someone(n)}@d`.slice(1) }),
    'a part without people': (n) => ({ query: `zzyzx${n}` }),
    'first name': (n) => ({ name: NAMES[n % NAMES.length].toLowerCase() }),
    domain: (n) => ({ query: `@d${of(Math.min(people, DOMAINS))(n)}.example` }),
    organization: (n) => ({ tenantId: tenantOf(n % MEMBERS) }),
    connection: () => ({ connectionId: CONNECTION }),
    'suspended people': () => ({ status: 'suspended' }),
    'all people': () => ({}),
  };
  const requestOf = (tokens, criteria) => ({
    path: `/api/v1/operator/people?${new URLSearchParams({ limit: '50', ...criteria })}`,
    token: tokens.access(0, { isStrong: true }),
  });
  const statements = await bench.statementsOf(service, (tokens, turn) =>
    Object.values(kinds).map((criteriaOf) => requestOf(tokens, criteriaOf(turn))),
  );
  const whole = await readWhole(service.query, statements);
  if (whole.length > 0) throw new Error(`Read from end to end: ${whole.join(', ')}.`);
  const tokens = await bench.tokensOf(service);
  const rows = [];
  for (const [kind, criteriaOf] of Object.entries(kinds)) {
    const load = await bench.load(
      Array.from({ length: QUERIES }, (_, n) => requestOf(tokens, criteriaOf(n))),
    );
    const put = () => load.put(service, { connections: 1, seconds: bench.seconds });
    await bench.warm(put);
    const { p99 } = await put();
    rows.push({
      name: `operators' search of ${people.toLocaleString('en')} people by ${kind}, p99`,
      unit: 'ms',
      goal: { atMost: 50 },
      ours: p99,
    });
  }
  return rows;
}

const addressOf = (n) => `person${n}@d${n % DOMAINS}.example`;

/** Adds people who differ in address, domain and name; the first one of all is an operator. */
async function addPeople(query, people) {
  const names = NAMES.map((name) => `'${name}'`).join(', ');
  await query(
    `INSERT INTO accounts (id, email, email_key, first_name, suspended_at)
     SELECT ${sqlId('B', 'n')}, address, address, (ARRAY[${names}])[1 + n % ${NAMES.length}] || ' ' || n % 100,
       CASE WHEN n % 500 = 0 THEN now() END
     FROM (SELECT n, 'person' || n || '@d' || n % ${DOMAINS} || '.example' AS address FROM generate_series(0, ${people - 1}) n) a`,
  );
  await query(
    `INSERT INTO external_identities (id, account_id, kind, issuer, subject, connection_id)
     SELECT ${sqlId('E', 'n')}, ${sqlId('B', 'n')}, 'oidc', 'https://idp.example', n::text, $1
     FROM generate_series(0, ${IDENTITIES - 1}) n`,
    [CONNECTION],
  );
  await query("INSERT INTO operators (account_id, role) VALUES ($1, 'admin')", [idOf('A', 0)]);
  await query('VACUUM ANALYZE accounts, external_identities, operators');
  await query('CHECKPOINT');
}
