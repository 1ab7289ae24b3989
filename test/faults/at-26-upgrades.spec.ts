import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { migrations } from '../../migrations/index.js';
import { migrateDatabase } from '../../src/platform/database/migrate.js';
import { Next9999999999999 } from '../support/next-migration.js';
import { CLI, exitOf, freePort, launch } from '../support/built-service.js';
import { eventually } from '../support/test-app.js';
import { acceptance, say } from './support/figures.js';
import { FaultPostgres } from './support/fault-postgres.js';
import { Fleet } from './support/fleet.js';
import { inForm } from './support/form.js';
import { Ledger } from './support/ledger.js';
import { NextRelease } from './support/next-release.js';
import { Replica } from './support/replica.js';

const REPLICAS = inForm(3, 5);
const KILLS = inForm(2, 20);
const MIXED_SECONDS = inForm(20, 300);
const READY_MS = 60_000;
const NAMES = migrations.map(({ name }) => name);
const NAMES_OF_NEXT = [...NAMES, Next9999999999999.name];

acceptance('at-26', 'upgrades', ['haproxy'], (figures) => {
  describe('of the schema', () => {
    let postgres: FaultPostgres;
    let next: NextRelease;
    let replicas: Replica[] = [];
    let databases = 0;
    beforeAll(async () => {
      postgres = await FaultPostgres.start();
      next = await NextRelease.make();
    });
    afterEach(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      replicas = [];
    });
    afterAll(async () => {
      await postgres.stop();
      await next.remove();
    });

    const emptyDatabase = () => postgres.createDatabase(`upgrade_${(databases += 1)}`);
    const settingsOf = (url: string) => ({
      DATABASE_URL: url,
      ROOT_SECRET: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'info',
    });
    const migrator = (url: string, commandLine = CLI) => launch([commandLine, 'migrate'], settingsOf(url));

    async function startTogether(url: string, program?: string): Promise<void> {
      const settings = settingsOf(url);
      for (let n = 0; n < REPLICAS; n += 1)
        replicas.push(await Replica.launch({ ...settings, PORT: String(await freePort()) }, program));
    }

    async function applied(url: string): Promise<string[]> {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
      await client.end();
      return rows.map(({ name }) => name);
    }

    /** Checks that the replicas become ready and that every migration has run once. */
    async function judge(what: string, url: string, expected = NAMES): Promise<void> {
      const times = await Promise.all(replicas.map((replica) => replica.ready(READY_MS)));
      figures.note(`${what}: the last of ${REPLICAS} ready within`, Math.max(...times) / 1_000, 's', {
        atMost: READY_MS / 1_000,
      });
      const missing = [...expected];
      const odd = (await applied(url)).filter((name) => missing.splice(missing.indexOf(name), 1)[0] !== name);
      figures.none(`${what}: migrations not applied just once`, [...missing, ...odd]);
      figures.none(
        `${what}: complaints`,
        replicas.flatMap(({ complaints }) => complaints),
      );
    }

    it('migrate an empty database for replicas that start concurrently', async () => {
      const url = await emptyDatabase();
      await startTogether(url);
      await judge('empty', url);
    });

    it('migrate the schema of the release before for replicas that start concurrently', async () => {
      const url = await emptyDatabase();
      await migrateDatabase(url, migrations);
      await startTogether(url, next.program);
      await judge('schema of the release before', url, NAMES_OF_NEXT);
    });

    it('resume after the migrator was killed during a change', async () => {
      const url = await emptyDatabase();
      await migrateDatabase(url, migrations);
      const reader = new Client({ connectionString: url });
      await reader.connect();
      await reader.query('BEGIN; SELECT 1 FROM accounts');
      const killed = migrator(url, next.commandLine);
      const changing = async () =>
        (
          await postgres.sql(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%ALTER TABLE accounts%'",
          )
        ).length > 0;
      await eventually('the migrator is in the middle of it', changing, 20_000);
      killed.kill('SIGKILL');
      await exitOf(killed);
      await startTogether(url, next.program);
      await sleep(1_500);
      await reader.query('COMMIT');
      await reader.end();
      await judge('killed in a change', url, NAMES_OF_NEXT);
    });

    it('resume after the migrator was killed at a random moment', async () => {
      let unfinished = 0;
      for (let n = 0; n < KILLS; n += 1) {
        const url = await emptyDatabase();
        const killed = migrator(url);
        await eventually('it has begun', async () => (await tablesOf(url)) > 0, 20_000);
        await sleep(Math.random() * 100);
        killed.kill('SIGKILL');
        await exitOf(killed);
        const before = await applied(url).catch(() => []);
        if (before.length < migrations.length) unfinished += 1;
        const again = migrator(url);
        const code = await exitOf(again);
        const after = await applied(url);
        if (code !== 0 || after.length !== migrations.length)
          figures.none('starts after a kill that failed', [`${code}: ${after.join()}`]);
      }
      figures.note('migrators killed', KILLS);
      figures.note('of them before they were done', unfinished); // as luck has it; the one above is certain
    }, 180_000);

    async function tablesOf(url: string): Promise<number> {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query("SELECT 1 FROM pg_tables WHERE tablename = 'schema_migrations'");
      await client.end();
      return rows.length;
    }
  });

  describe('of replicas under load', () => {
    let fleet: Fleet;
    let next: NextRelease;
    beforeAll(async () => {
      next = await NextRelease.make();
      fleet = await Fleet.start({ replicas: 2, settings: { DRAIN_SECONDS: '2' } });
    });
    afterAll(async () => {
      await fleet.stop();
      await next.remove();
    });

    const replace = async (n: number, program?: string): Promise<void> => {
      const { code } = await fleet.replica(n).terminate();
      if (code !== 0) throw new Error(`A replica ended with ${code}.`);
      await fleet.replica(n).restart({}, program);
      await sleep(2_000); // until the load balancer has seen it
    };

    it(
      'fail no request while releases are mixed, in the upgrade and in the rollback',
      async () => {
        const ledger = await Ledger.open(fleet, { rate: 20 });
        const began = Date.now();
        await replace(0, next.program);
        say('the next release has migrated, and runs beside this one');
        await sleep(MIXED_SECONDS * 1_000);
        await replace(1, next.program);
        say('the next release alone');
        await sleep(2_000);
        await replace(0);
        say('this release again, on the schema of the next');
        await sleep(MIXED_SECONDS * 200);
        const requests = ledger.since(began);
        const failed = requests.filter(({ outcome }) => outcome !== 'answered');
        figures.none('mixed: broken promises', await ledger.check());
        const [{ ahead = 0 } = {}] = await fleet.postgres.sql<{ ahead: number }>(
          "SELECT count(*)::int AS ahead FROM information_schema.columns WHERE column_name = 'pronouns'",
        );
        figures.note('mixed: the schema is the next release’s', ahead, '', { exactly: 1 });
        figures.note('mixed: requests', requests.length);
        figures.note('mixed: requests that failed', failed.length, '', { exactly: 0 });
        figures.note('mixed: sign-outs of honest clients', ledger.signedOut, '', { exactly: 0 });
      },
      (MIXED_SECONDS * 1.5 + 180) * 1_000,
    );
  });
});
