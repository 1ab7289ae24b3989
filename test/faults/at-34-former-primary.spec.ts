import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CLI, exitOf, launch, runBuilt } from '../support/built-service.js';
import { query } from '../../src/testing/query.js';
import { DEBIAN_POSTGRES } from '../support/debian-postgres.js';
import { HASH_VECTORS } from '../support/hash-vectors.js';
import { Pooler } from '../support/pooler.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { eventually } from '../support/test-app.js';
import { acceptance, say } from './support/figures.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';
import { PostgresPair } from './support/postgres-pair.js';
import { Writer } from './support/writer.js';

const SESSIONS = inForm(5, 50);
/** Bound of API-5. */
const WORST_MS = 5_000;
const PROGRAMS = [...DEBIAN_POSTGRES, 'haproxy', 'pgbouncer'];
const ME = '/api/v1/iam/me';

/** More people than an import creates before a server has ended. */
const PEOPLE = Array.from({ length: inForm(60_000, 100_000) }, (_, n) => ({
  externalId: `u-${n}`,
  email: `imported-${n}@example.com`,
  emailVerified: true,
  firstName: 'Ada',
  passwordHash: HASH_VECTORS['bcrypt ($2y$, PHP)']?.plain ?? '',
}));

/** How the first replica reaches the servers. */
type How = 'directly' | 'pooled' | 'several hosts';

interface Watched {
  /** Milliseconds for which the session was still accepted after its end was acknowledged. */
  accepted: number;
  readonly others: string[];
}

/**
 * A standby is promoted, and the primary before it goes on running with the connections that it
 * has. The first replica keeps them, the second one loses them.
 */
acceptance('at-34', 'a former primary that still runs', PROGRAMS, (figures) => {
  let pair: PostgresPair;
  let pooler: Pooler | undefined;
  let fleet: Fleet<PostgresPair>;

  async function start(synchronous: boolean, how: How): Promise<void> {
    pair = await PostgresPair.start(synchronous);
    pooler = how === 'pooled' ? await Pooler.before(pair.url) : undefined;
    fleet = await Fleet.on(pair, { replicas: 2, balanced: false });
    if (pooler) await change(0, { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pair.url });
    if (how === 'several hosts') await change(0, { DATABASE_URL: pair.severalHosts });
    await change(1, { DATABASE_URL: pair.through('ending') });
  }

  async function change(n: number, settings: Record<string, string>): Promise<void> {
    await fleet.replica(n).terminate();
    await fleet.replica(n).restart(settings);
  }

  afterEach(async () => {
    await pooler?.stop();
    await fleet.stop();
  });

  const ask = async (token: string): Promise<number> => {
    const response = await fetch(`${fleet.replica(0).url}${ME}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    await response.text();
    return response.status;
  };
  const readiness = async (n: number) => (await fetch(`${fleet.replica(n).url}/readyz`)).status;

  /** Signs in at both, and has the first replica cache the sessions. */
  async function sessions(): Promise<string[]> {
    const account = await fleet.register();
    const all = Array.from({ length: SESSIONS }, async () => {
      const { accessToken } = await fleet.client(0).login(account);
      if ((await ask(accessToken)) !== 200) throw new Error('The session was not seen alive.');
      return accessToken;
    });
    return Promise.all(all);
  }

  /** Ends a session at the second replica, and asks the first one until it has refused it. */
  async function end(token: string, until: () => boolean): Promise<Watched> {
    const watched: Watched = { accepted: 0, others: [] };
    let acknowledged: number | undefined;
    const asking = (async () => {
      for (;;) {
        const sent = performance.now();
        const status = await ask(token);
        if (status === 200 && acknowledged !== undefined)
          watched.accepted = Math.max(watched.accepted, sent - acknowledged);
        if (![200, 401, 503].includes(status)) watched.others.push(`the profile answered ${status}`);
        if (acknowledged !== undefined && (status === 401 || until())) return;
        await sleep(20);
      }
    })();
    const ended = async () => {
      const { status } = await fleet.client(1).post('logout', undefined, { token });
      if (![204, 503].includes(status)) watched.others.push(`the logout answered ${status}`);
      return status === 204;
    };
    await eventually('the session is ended', ended, 20_000);
    acknowledged = performance.now();
    await asking;
    return watched;
  }

  function judge(what: string, watched: readonly Watched[]): void {
    figures.note(`${what}: sessions`, watched.length);
    figures.note(
      `${what}: accepted at the very worst`,
      Math.max(...watched.map((one) => one.accepted)),
      'ms',
      {
        atMost: WORST_MS,
      },
    );
    figures.none(
      `${what}: other answers`,
      watched.flatMap(({ others }) => others),
    );
  }

  it.each<[string, boolean, How]>([
    ['synchronous', true, 'directly'],
    ['asynchronous', false, 'directly'],
    ['synchronous, behind PgBouncer', true, 'pooled'],
    ['asynchronous, behind PgBouncer', false, 'pooled'],
    ...inForm<[string, boolean, How][]>(
      [],
      [
        ['synchronous, with several hosts', true, 'several hosts'],
        ['asynchronous, with several hosts', false, 'several hosts'],
      ],
    ),
  ])(
    'is left by a replica with connections to it: %s',
    async (what, synchronous, how) => {
      await start(synchronous, how);
      const tokens = await sessions();
      const witness = tokens.pop() ?? '';
      const ledger = synchronous ? await Ledger.open(fleet, { rate: 15, people: 12 }) : undefined;
      await pair.promote();
      await pair.lead(pair.second, 'keeping', 'ending');
      const promoted = Date.now();
      say('promoted');
      judge(what, await Promise.all(tokens.map((token) => end(token, () => false))));
      await eventually('the replica serves', async () => (await ask(witness)) === 200, WORST_MS);
      await eventually('it is ready', async () => (await readiness(0)) === 200, WORST_MS);
      await eventually('feeds and job workers have left', async () => {
        const others = "application_name IN ('gatehouse-feed', 'gatehouse-jobs')";
        const sql = `SELECT 1 FROM pg_stat_activity WHERE ${others}`;
        return (await query(pair.first.url('postgres'), sql)).length === 0;
      });
      await sleep(2_000);
      if (ledger) {
        figures.note(`${what}: recovery`, ledger.recoveryAfter(promoted) / 1_000, 's', { atMost: 5 });
        figures.none(`${what}: broken promises`, await ledger.check());
      }
    },
    180_000,
  );

  it('that hangs, is replaced and goes on changes nothing that was acknowledged', async () => {
    await start(true, 'several hosts');
    const [token = ''] = await sessions();
    const ledger = await Ledger.open(fleet, { rate: 15, people: 12 });
    const writers = await Promise.all([0, 1].map((n) => Writer.start(fleet, n)));
    await pair.first.freeze();
    try {
      await sleep(2_000);
      await pair.promote();
      const promoted = performance.now();
      await pair.lead(pair.second, 'ending');
      await eventually(
        'every replica writes',
        () => writers.every((one) => one.wroteAfter(promoted)),
        20_000,
      );
      const back = Math.max(...writers.map((one) => one.backAfter(promoted)));
      figures.note('hangs: writes back at the latest', back, 'ms', { atMost: 3_000 });
      await fleet.client(1).post('logout', undefined, { token });
    } finally {
      await pair.first.thaw();
    }
    await sleep(5_000);
    figures.note('hangs: an ended session afterwards', await ask(token), '', { exactly: 401 });
    await Promise.all(writers.map((one) => one.stop()));
    figures.none(
      'hangs: answers other than success and 503',
      writers.flatMap(({ others }) => others),
    );
    figures.none('hangs: broken promises', await ledger.check());
  }, 180_000);

  it('that is killed during an import has what it acknowledged, and another run completes the import', async () => {
    await start(true, 'several hosts');
    const ledger = await Ledger.open(fleet, { rate: 15, people: 12 });
    const file = join(temporaryFolder('import'), 'people.ndjson');
    await writeFile(file, PEOPLE.map((person) => `${JSON.stringify(person)}\n`).join(''));
    const settings = { ...fleet.settings, DATABASE_URL: pair.through('ending') };
    const words = ['people:import', '--file', file];
    const imported = async () => {
      const sql = "SELECT count(*)::int AS count FROM accounts WHERE email LIKE 'imported-%'";
      return (await pair.sql<{ count: number }>(sql))[0]?.count ?? 0;
    };
    const child = launch([CLI, ...words], settings);
    let said = '';
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await eventually('people are imported', async () => (await imported()) > 0);
    await pair.first.halt();
    await pair.promote();
    await pair.lead(pair.second, 'ending');
    figures.note('import: exit code', (await exitOf(child)) ?? -1, '', { exactly: 1 });
    expect(said).toContain('Run the command again once the database is back');
    const before = await imported();
    const { stdout } = await runBuilt(CLI, words, settings);
    expect(JSON.parse(stdout)).toEqual({
      imported: PEOPLE.length - before,
      unchanged: before,
      failed: 0,
      errors: [],
    });
    figures.note('import: people who are missing, or there twice', (await imported()) - PEOPLE.length, '', {
      exactly: 0,
    });
    await sleep(2_000);
    figures.none('import: broken promises', await ledger.check());
  }, 180_000);

  it.each<How>(['directly', 'pooled'])(
    'is not believed by a replica whose new connections lead to it too: %s',
    async (how) => {
      await start(true, how);
      const tokens = await sessions();
      const witness = tokens.pop() ?? '';
      await pair.promote();
      await pair.lead(pair.second, 'ending');
      const promoted = performance.now();
      const late = () => performance.now() - promoted > 2 * WORST_MS;
      judge(`led to the former primary ${how}`, await Promise.all(tokens.map((token) => end(token, late))));
      figures.note(`led to the former primary ${how}: readiness`, await readiness(0), '', { exactly: 503 });
      figures.note(`led to the former primary ${how}: a profile`, await ask(witness), '', { exactly: 503 });
      await pair.lead(pair.second, 'keeping');
      await eventually('the replica serves', async () => (await ask(witness)) === 200, WORST_MS);
      for (const token of tokens) expect(await ask(token)).toBe(401);
    },
    180_000,
  );

  it('or a primary that waits for its only standby is not ready, and answers 503', async () => {
    await start(true, 'directly');
    const [token = ''] = await sessions();
    await pair.second.halt();
    await eventually('it is not ready', async () => (await readiness(0)) === 503, WORST_MS);
    await eventually('it answers 503', async () => (await ask(token)) === 503, WORST_MS);
    await pair.second.launch();
    await eventually('it is ready', async () => (await readiness(0)) === 200, 2 * WORST_MS);
    expect(await ask(token)).toBe(200);
  }, 120_000);

  it.each([false, true])(
    'or a standby, which takes no writes, costs 503 at most (behind PgBouncer: %s)',
    async (pooled) => {
      await start(false, pooled ? 'pooled' : 'directly');
      const [token = ''] = await sessions();
      await pair.lead(pair.second, 'keeping', 'ending');
      await pair.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name IN ('', 'gatehouse', 'gatehouse-feed', 'gatehouse-jobs') AND backend_type = 'client backend'",
      );
      const statuses = new Set<number>();
      const rename = async () => {
        const path = `${fleet.replica(0).url}${ME}`;
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
        const body = JSON.stringify({ firstName: 'Grace' });
        const { status } = await fetch(path, { method: 'PATCH', headers, body });
        statuses.add(status);
        return status;
      };
      await eventually('it is not ready', async () => (await readiness(0)) === 503, WORST_MS);
      for (let n = 0; n < 20; n += 1) await rename();
      expect([...statuses]).toEqual([503]);
      await pair.lead(pair.first, 'keeping', 'ending');
      await eventually('it is ready', async () => (await readiness(0)) === 200, WORST_MS);
      await eventually('it writes', async () => (await rename()) === 200, WORST_MS);
      expect([...statuses].toSorted()).toEqual([200, 503]);
    },
    120_000,
  );
});
