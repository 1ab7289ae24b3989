import { send } from '../support/load.mjs';
import { idOf, populate, sqlId, tenantOf } from '../support/people.mjs';
import { readWhole } from '../support/plans.mjs';

const PEOPLE = 1_000;
const TENANT = tenantOf(0);
/** Depots of each level but the last, the highest first. */
const LEVELS = [1, 10, 50, 100, 200, 500];
/** Orders of each depot of the last level, in each size of a run: a page of a list. */
const PER_DEPOT = 1_000;
const SCOPE = 'freight:order:cancel';
/** Person with a role on the highest depot, and one with a role on one of the last. */
const [ABOVE_ALL, ON_ONE] = [1, 2];
/** Members of other organizations, who hold everything in the whole organization. */
const WITHOUT = 100;

/**
 * Measures decisions and lists with a million roles on things and a million registered things in
 * one organization, eight levels deep. Every statement must use an index.
 */
export default async function access(bench) {
  const orders = Number(
    process.env.BENCH_THINGS ?? bench.of({ full: 1_000_000, quick: 100_000, smoke: 10_000 }),
  );
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  await service.query("INSERT INTO operators (account_id, role) VALUES ($1, 'admin')", [idOf('A', 0)]);
  const tokens = await bench.tokensOf(service);
  const permissions = [{ scope: SCOPE, title: 'Cancel orders', roles: [] }];
  await send(service, {
    method: 'PUT',
    path: '/api/v1/iam/permissions/freight',
    token: tokens.access(0, { isStrong: true }),
    body: { title: 'Freight', permissions },
  });
  await addThings(service.query, orders);
  await addRoles(service.query, orders);
  const checkOf = (person) => (n) => ({
    method: 'POST',
    path: '/api/auth/can',
    token: tokens.access(person, { inTenant: true }),
    body: { scopes: [SCOPE], subject: `gatehouse:///freight/orders/${idOf('W', (n * 7_919) % orders)}` },
  });
  const plain = (n) => ({
    ...checkOf(WITHOUT + (n % 100))(n),
    body: {
      scopes: ['iam:tenant:read'],
      subject: `gatehouse:///iam/tenants/${tenantOf(WITHOUT + (n % 100))}`,
    },
  });
  const search = () => ({
    method: 'POST',
    path: '/access/v1/search/resource',
    token: tokens.access(ON_ONE, { inTenant: true }),
    body: {
      subject: { type: 'user', id: idOf('A', ON_ONE) },
      action: { name: SCOPE },
      resource: { type: 'freight/orders' },
      page: { limit: PER_DEPOT },
    },
  });
  const found = JSON.parse(await send(service, search())).results.length;
  if (found !== PER_DEPOT) throw new Error(`The search found ${found}.`);
  const statementsOf = (requestOf, person) =>
    bench.statementsOf(service, (recorded, turn) => [
      { ...requestOf(turn), token: recorded.access(person, { inTenant: true }) },
    ]);
  const decided = await statementsOf(checkOf(ABOVE_ALL), ABOVE_ALL);
  const listed = await statementsOf(search, ON_ONE);
  const whole = await readWhole(service.query, [...decided, ...listed]);
  if (whole.length > 0) throw new Error(`Read from end to end: ${whole.join(', ')}.`);
  const how = { connections: 1, seconds: bench.seconds };
  const measure = async (requestOf) => {
    const load = await bench.load(Array.from({ length: 1_000 }, (_, n) => requestOf(n)));
    await bench.warm(() => load.put(service, how));
    return load.put(service, how);
  };
  const [decision, without, list] = [
    await measure(checkOf(ABOVE_ALL)),
    await measure(plain),
    await measure(search),
  ];
  const sql = await (await bench.pgbench(service, decided, { people: PEOPLE })).run(how);
  const of = orders.toLocaleString('en');
  return [
    { name: `decision by a role eight levels above, ${of} roles on things`, unit: 'ms', ours: decision.p50 },
    { name: 'the same, p95', unit: 'ms', goal: { atMost: 5.76 }, ours: decision.p95 },
    {
      name: 'the same, p95 less the mean of its statements by pgbench',
      unit: 'ms',
      goal: { atMost: 1 },
      ours: decision.p95 - 1_000 / sql.perSecond,
    },
    { name: 'decision by a role in the organization', unit: 'ms', ours: without.p50 },
    { name: `list of ${found} of ${of} things, p99`, unit: 'ms', goal: { atMost: 50 }, ours: list.p99 },
  ];
}

/** Adds orders and the depots above them. */
async function addThings(query, orders) {
  const insert = (collection, kind, count, parent, height) =>
    query(
      `WITH made AS (SELECT ${sqlId(kind, 'n')} AS id, ${parent ?? 'NULL::text'} AS parent FROM generate_series(0, ${count - 1}) n),
         things AS (INSERT INTO registered_things (tenant_id, thing, id) SELECT $1, 'freight/${collection}/' || id, id FROM made)
       INSERT INTO registered_parents (tenant_id, thing, parent, height)
       SELECT $1, 'freight/${collection}/' || id, 'freight/depots/' || parent, ${height} FROM made WHERE parent IS NOT NULL`,
      [TENANT],
    );
  const kindOf = (level) => 'DEFGHJK'[level];
  const last = orders / PER_DEPOT;
  const levels = [...LEVELS, last];
  for (const [level, count] of levels.entries()) {
    const above = level === 0 ? null : sqlId(kindOf(level - 1), `n * ${levels[level - 1]} / ${count}`);
    await insert('depots', kindOf(level), count, above, levels.length - level);
  }
  await insert('orders', 'W', orders, sqlId(kindOf(levels.length - 1), `n::bigint * ${last} / ${orders}`), 0);
  await query('INSERT INTO registered_thing_counts (tenant_id, things) VALUES ($1, $2)', [
    TENANT,
    orders + levels.reduce((sum, count) => sum + count),
  ]);
}

/** Gives two members a role on a depot, and a thousand others a thousand each. */
async function addRoles(query, count) {
  const [clerk, plain] = [idOf('R', 0), idOf('R', 1)];
  for (const [id, key, scopes] of [
    [clerk, 'clerk', [SCOPE]],
    [plain, 'plain', []],
  ])
    await query(
      'INSERT INTO roles (tenant_id, id, key, name, scopes, built_in) VALUES ($1, $2, $3, $3, $4, false)',
      [TENANT, id, key, scopes],
    );
  await query('UPDATE member_roles SET role_id = $2 WHERE tenant_id = $1 AND user_id = ANY($3)', [
    TENANT,
    plain,
    [idOf('A', ABOVE_ALL), idOf('A', ON_ONE)],
  ]);
  await query("SET session_replication_role = 'replica'"); // the members of these need not exist
  await query(
    `INSERT INTO role_assignments (tenant_id, id, user_id, role_id, thing, created_by)
     SELECT $1, ${sqlId('X', 'n')}, ${sqlId('Y', 'n / 1000')}, $2, 'freight/orders/' || ${sqlId('W', 'n')}, ${sqlId('A', '0')}
     FROM generate_series(0, ${count - 1}) n`,
    [TENANT, clerk],
  );
  await query("SET session_replication_role = 'origin'");
  for (const [person, thing] of [
    [ABOVE_ALL, `freight/depots/${idOf('D', 0)}`],
    [ON_ONE, `freight/depots/${idOf('K', 7)}`],
  ])
    await query(
      `INSERT INTO role_assignments (tenant_id, id, user_id, role_id, thing, created_by) VALUES ($1, $2, $3, $4, $5, $3)`,
      [TENANT, idOf('Z', person), idOf('A', person), clerk, thing],
    );
  await query('VACUUM ANALYZE');
  await query('CHECKPOINT');
}
