import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawCurves, type Curve } from './support/curves.js';
import { acceptance, percentile, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';

/** Length in minutes, by `--minutes`, in place of either form's. */
const MINUTES = Number(process.env['FAULTS_MINUTES'] || inForm(1, 60));
const RATE = inForm(20, 100);
const EVERY_MS = inForm(2_000, 10_000);
/** Warm-up: until caches, pools and the compiler have settled. */
const WARM_UP = 0.4;
/** Minimum length for which a slope is meaningful. */
const LONG_ENOUGH_MINUTES = 30;
/** A pool of ten, and seven direct connections: docs/replicas.md. */
const CONNECTIONS_EACH = 17;
const PICTURE = 'soak.svg';
const EXPIRED = `SELECT (SELECT count(*) FROM login_throttles WHERE expires_at < now() - interval '15 minutes')
  + (SELECT count(*) FROM pending_registrations WHERE expires_at < now() - interval '15 minutes')
  + (SELECT count(*) FROM one_time_codes WHERE expires_at < now() - interval '15 minutes')
  + (SELECT count(*) FROM sessions WHERE expires_at < now() - interval '15 minutes') AS rows`;

interface Moment {
  readonly at: number;
  readonly memory: number;
  readonly files: number;
  readonly connections: number;
  readonly p99: number;
  readonly expired: number;
  /** Tables that PostgreSQL has vacuumed so far. */
  readonly vacuums: number;
}

acceptance('at-28', 'steady load', [], (figures) => {
  let fleet: Fleet;
  beforeAll(async () => void (fleet = await Fleet.start({ replicas: 2, balanced: false })));
  afterAll(() => fleet.stop());

  async function look(ledger: Ledger, began: number): Promise<Moment> {
    const prints = await Promise.all(fleet.replicas.map((replica) => replica.footprint()));
    const [connections] = await fleet.postgres.sql<{ count: number }>(
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
    );
    const [expired] = await fleet.postgres.sql<{ rows: string }>(EXPIRED);
    const [vacuumed] = await fleet.postgres.sql<{ count: number }>(
      'SELECT sum(autovacuum_count)::int AS count FROM pg_stat_user_tables',
    );
    const times = ledger.since(Date.now() - Math.max(EVERY_MS, 10_000)).map(({ ms }) => ms);
    return {
      at: (Date.now() - began) / 1_000,
      memory: Math.max(...prints.map(({ rssMb }) => rssMb)),
      files: Math.max(...prints.map(({ files }) => files)),
      connections: connections?.count ?? 0,
      p99: percentile(times, 0.99),
      expired: Number(expired?.rows),
      vacuums: vacuumed?.count ?? 0,
    };
  }

  /** Inserts rows that expired long ago, so that the cleanup has work during the load. */
  const litter = () =>
    fleet.postgres
      .sql(`INSERT INTO login_throttles (account_key, network_key, failures, blocked_until, expires_at)
      SELECT sha256(n::text::bytea), '\\x00', 1, now(), now() - interval '1 hour' FROM generate_series(1, 5000) n`);

  /** Starts the cleanup: it runs every ten minutes by itself, which a shorter run may miss. */
  const cleanUp = () => fleet.postgres.sql("SELECT graphile_worker.add_job('housekeeping', '{}')");

  it(
    'keeps memory, connections and response times stable, and leaves no expired rows',
    async () => {
      const ledger = await Ledger.open(fleet, { rate: RATE });
      await litter();
      const began = Date.now();
      const moments: Moment[] = [];
      if (MINUTES < 20) setTimeout(() => void cleanUp(), MINUTES * 20_000).unref();
      while (Date.now() - began < MINUTES * 60_000) {
        await sleep(EVERY_MS);
        moments.push(await look(ledger, began));
        if (moments.length % 6 === 0) say(`${((Date.now() - began) / 60_000).toFixed(1)} of ${MINUTES} min`);
      }
      const curve = (name: string, unit: string, of: (moment: Moment) => number): Curve => ({
        name,
        unit,
        points: moments.map((moment) => [moment.at, of(moment)]),
      });
      const curves = [
        curve('Memory of the larger replica', 'MB', ({ memory }) => memory),
        curve('Connections to PostgreSQL', '', ({ connections }) => connections),
        curve('Files and sockets of a replica', '', ({ files }) => files),
        curve('p99 of the last ten seconds', 'ms', ({ p99 }) => p99),
        curve('Rows expired a quarter of an hour ago', '', ({ expired }) => expired),
      ];
      const requests = ledger.since(began).length;
      const title = `${MINUTES} min, ${Math.round(requests / MINUTES / 60)} requests/s, two replicas`;
      mkdirSync('results/faults', { recursive: true });
      writeFileSync(`results/faults/${PICTURE}`, drawCurves(title, curves));
      figures.none('broken promises', await ledger.check());
      judge(moments, requests);
    },
    (MINUTES + 4) * 60_000,
  );

  function judge(moments: readonly Moment[], requests: number): void {
    const settled = moments.slice(Math.floor(moments.length * WARM_UP));
    const half = Math.floor(settled.length / 2);
    const [first, second] = [settled.slice(0, half), settled.slice(half)];
    const median = (some: readonly Moment[], of: (moment: Moment) => number) => percentile(some.map(of), 0.5);
    const minutes = ((second[0]?.at ?? 0) - (first[0]?.at ?? 0)) / 60;
    const growth = median(second, ({ memory }) => memory) - median(first, ({ memory }) => memory);
    const drift =
      median(second, ({ p99 }) => p99) /
        Math.max(
          1,
          median(first, ({ p99 }) => p99),
        ) -
      1;
    const long = MINUTES >= LONG_ENOUGH_MINUTES;
    figures.note('minutes', MINUTES);
    figures.note('requests', requests);
    figures.note('memory at the end', settled.at(-1)?.memory ?? 0, 'MB');
    figures.note('growth of memory in ten minutes', (growth / minutes) * 10, 'MB', long ? { atMost: 1 } : {});
    figures.note('drift of p99', drift * 100, '%', long ? { atMost: 20 } : {});
    // In less time a pool that grows under load is no leak.
    const more = (of: (moment: Moment) => number) => median(second, of) - median(first, of);
    figures.note(
      'more files and sockets',
      more(({ files }) => files),
      '',
      long ? { atMost: 20 } : {},
    );
    figures.note(
      'more connections',
      more(({ connections }) => connections),
      '',
      long ? { atMost: 5 } : {},
    );
    const [next, quiet] = [true, false].map((isNext) =>
      settled.slice(1).filter(({ vacuums }, n) => vacuums > (settled[n]?.vacuums ?? 0) === isNext),
    );
    const p99 = (some: readonly Moment[] = []) => median(some, (moment) => moment.p99);
    figures.note('tables vacuumed', settled.at(-1)?.vacuums ?? 0, '', long ? { atLeast: 1 } : {});
    figures.note(
      'p99 next to a vacuum, against without',
      p99(next) / Math.max(1, p99(quiet)),
      '×',
      long ? { atMost: 2 } : {},
    );
    const most = Math.max(...moments.map(({ connections }) => connections));
    figures.note('most connections', most, '', { atMost: fleet.replicas.length * CONNECTIONS_EACH });
    figures.note('expired rows at the end', settled.at(-1)?.expired ?? -1, '', { exactly: 0 });
  }
});
