import { setTimeout as sleep } from 'node:timers/promises';
import { populate, tenantOf } from '../support/people.mjs';

const PEOPLE = 1_000;
/** Steady load well below saturation, whose p99 shows the effect of the cleanup. */
const LOAD = { connections: 8, paceMs: 20 };

/** Measures a steady load while many expired sessions are removed. */
export default async function cleanUp(bench) {
  const service = await bench.service();
  await populate(service.query, { people: PEOPLE });
  const tokens = await bench.tokensOf(service);
  const load = await bench.load(
    Array.from({ length: PEOPLE }, (_, person) => ({
      method: 'POST',
      path: '/api/v1/iam/auth/select-tenant',
      token: tokens.access(person),
      body: { tenantId: tenantOf(person) },
    })),
  );
  const how = { ...LOAD, seconds: bench.seconds };
  await bench.warm(() => load.put(service, { connections: LOAD.connections, seconds: bench.seconds }));
  const expired = Math.ceil(
    Number(process.env.BENCH_EXPIRED ?? bench.of({ full: 1_000_000, quick: 30_000, smoke: 2_000 })) /
      bench.rounds,
  );
  const { p99 } = await bench.paired(
    async () => {
      await expire(service.query, expired);
      await removeExpired(service.query);
      const found = await load.put(service, how);
      await gone(service.query);
      return found;
    },
    () => load.put(service, how),
  );
  const [{ deadlocks }] = await service.query(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  if (deadlocks > 0) throw new Error(`${deadlocks} deadlocks.`);
  const rows = (expired * bench.rounds).toLocaleString('en');
  return [
    {
      name: `p99 while ${rows} expired sessions go`,
      against: 'while none do',
      unit: 'ms',
      goal: { atMost: 1.5 },
      ...p99,
    },
  ];
}

/** Creates expired sessions, each with its grant, of one person. */
async function expire(query, count) {
  await query('BEGIN'); // the scheduled cleanup may run concurrently
  for (const [kind, columns, values] of [
    [
      'sessions',
      'id, account_id, amr, expires_at',
      `'01GONES' || lpad(n::text, 19, '0'), '01BENCHA' || lpad('0', 18, '0'), '{pwd}'`,
    ],
    [
      'grants',
      'id, session_id, account_id, client_id, idle_expires_at',
      `'01GONEG' || lpad(n::text, 19, '0'), '01GONES' || lpad(n::text, 19, '0'), '01BENCHA' || lpad('0', 18, '0'), 'gatehouse'`,
    ],
  ])
    await query(
      `INSERT INTO ${kind} (${columns}) SELECT ${values}, now() - interval '1 minute' FROM generate_series(1, ${count}) n`,
    );
  await query('COMMIT');
  await query('VACUUM ANALYZE sessions, grants');
  await query('CHECKPOINT');
}

/** Repeats the cleanup, which takes at most three minutes, at once and not after ten minutes. */
async function removeExpired(query) {
  await query(
    `SELECT graphile_worker.add_job('housekeeping', '{}', queue_name := 'bench', job_key := 'bench')`,
  );
}

async function gone(query) {
  for (;;) {
    const [{ count }] = await query('SELECT count(*)::int AS count FROM sessions WHERE expires_at < now()');
    if (count === 0) return void (await query('VACUUM sessions, grants')); // or it would be done while the other side is measured
    await removeExpired(query);
    await sleep(1_000);
  }
}
