import { writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { BuiltService, CLI, runBuilt } from '../support/built-service.js';
import { DEBIAN_POSTGRES, DebianPostgres } from '../support/debian-postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { acceptance } from './support/figures.js';
import { inForm } from './support/form.js';

/** People of the backup, by `--people`, in place of either form's; each has a session. */
const PEOPLE = Number(process.env['FAULTS_PEOPLE'] || inForm(2_000, 10_000_000));
/** People who are erased after the backup was made. */
const ERASED = inForm(20, 1_000);
const CORES = String(availableParallelism());
/** As a server of production is set: a crash loses nothing, and indexes are built in memory. */
const SERVER = ['fsync=on', 'maintenance_work_mem=512MB', 'max_wal_size=8GB'];

const idOf = (kind: string, n: string): string => `'01BACK${kind}' || lpad(${n}::text, 19, '0')`;

/** Times the steps of docs/operating.md with a whole service's data. */
acceptance('at-29', 'a backup of many people is restored', DEBIAN_POSTGRES, (figures) => {
  let postgres: DebianPostgres;
  let service: BuiltService;
  const start = (database: string, settings: Record<string, string> = {}) =>
    BuiltService.start({ ...settings, DATABASE_URL: postgres.url(database) });
  const cli = async (...words: string[]) => {
    const { stdout } = await runBuilt(CLI, words, service.environment);
    return JSON.parse(stdout) as unknown;
  };

  beforeAll(async () => {
    postgres = await DebianPostgres.start(...SERVER);
    for (const name of ['first', 'second']) await postgres.create(name);
    service = await start('first');
  }, 120_000);
  afterAll(async () => {
    await service.stop();
    await postgres.stop();
  });

  /** Notes the seconds that a step takes. */
  async function timed<T>(step: string, work: () => Promise<T>): Promise<T> {
    const began = performance.now();
    const result = await work();
    figures.note(step, (performance.now() - began) / 1_000, 's');
    return result;
  }

  async function populate(): Promise<void> {
    const people = `generate_series(1, ${PEOPLE}) n`;
    await service.sql(`SET session_replication_role = replica;
      INSERT INTO accounts (id, email, email_key, first_name)
      SELECT ${idOf('A', 'n')}, 'p' || n || '@restored.example', 'p' || n || '@restored.example', 'Ada' FROM ${people};
      INSERT INTO sessions (id, account_id, amr, expires_at)
      SELECT ${idOf('S', 'n')}, ${idOf('A', 'n')}, '{pwd}', now() + interval '90 days' FROM ${people};
      INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at)
      SELECT ${idOf('G', 'n')}, ${idOf('S', 'n')}, ${idOf('A', 'n')}, 'gatehouse', now() + interval '30 days' FROM ${people}`);
  }

  it(
    'has every person but those who were erased since',
    async () => {
      const account = await service.register('kept@restored.example');
      await populate();
      const backup = ['-Fd', '-j', CORES];
      await timed('backup', () => postgres.run('pg_dump', ...backup, '-f', 'backup', postgres.url('first')));
      const file = join(temporaryFolder('erased'), 'erased.json');
      const ids = await service.sql(`SELECT ${idOf('A', 'n')} AS id FROM generate_series(1, ${ERASED}) n`);
      await writeFile(file, JSON.stringify({ erased: ids.map(({ id }) => id) }));
      await cli('erasures:replay', '--file', file);
      await writeFile(file, JSON.stringify(await cli('erasures:export')));
      const { ROOT_SECRET = '' } = service.environment;
      await service.stop();

      const second = postgres.url('second');
      await timed('restore', () => postgres.run('pg_restore', '-j', CORES, '-d', second, 'backup'));
      await timed('statistics', () => postgres.run('vacuumdb', '--analyze-only', '-j', CORES, '-d', second));
      service = await start('second', { ROOT_SECRET });
      const replayed = await timed('erasures replayed', () => cli('erasures:replay', '--file', file));
      expect(replayed).toEqual({ listed: ERASED, erased: ERASED });
      const [kept] = await service.sql(
        "SELECT count(*)::int AS people FROM accounts WHERE email LIKE 'p%@restored.example'",
      );
      figures.note('people', PEOPLE);
      figures.note('people who are missing', PEOPLE - ERASED - Number(kept?.['people']), '', { exactly: 0 });
      await service.login(account);
    },
    300_000 + PEOPLE,
  );
});
