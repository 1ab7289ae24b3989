import { Logger } from '@nestjs/common';
import { Secret } from '../../src/platform/config/secret.js';
import { SETTINGS, type Settings } from '../../src/platform/config/index.js';
import { Database } from '../../src/platform/database/database.js';
import { ServerSettings } from '../../src/platform/database/connection/server-settings.js';
import { eventually, withApp } from '../support/test-app.js';

/** Settings of the PostgreSQL of tests, which is faster than it is safe. */
const OF_TESTS = /has (?:autovacuum|fsync|full_page_writes|synchronous_commit) = 'off'/;

describe('Settings of PostgreSQL', () => {
  let name: string;
  const app = withApp();
  beforeAll(async () => {
    name = new URL(app.databaseUrl).pathname.slice(1);
  });

  /** @returns the warnings of a start with an external database */
  async function warnings(
    changes: Partial<Settings> = {},
    database: Database = app.app.get(Database),
  ): Promise<string[]> {
    const settings = {
      ...app.app.get<Settings>(SETTINGS),
      DATABASE_URL: new Secret(app.databaseUrl),
      ...changes,
    };
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    await new ServerSettings(database, settings).onApplicationBootstrap();
    const texts = warn.mock.calls.map(([text]) => String(text));
    warn.mockRestore();
    return texts;
  }
  const others = async (changes?: Partial<Settings>) =>
    (await warnings(changes)).filter((text) => !OF_TESTS.test(text));

  /** Ends the connections of the service: new ones have the settings of the moment. */
  async function reconnect(): Promise<void> {
    await app.sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'gatehouse'",
    );
    const serves = () =>
      app.app
        .get(Database)
        .rows('SELECT 1')
        .then(Boolean, () => false);
    for (let n = 0; n < 5; n += 1) await eventually('it has connected again', serves);
  }

  it('are warned of where a crash loses what was acknowledged', async () => {
    const texts = await warnings();
    for (const setting of ['fsync', 'full_page_writes', 'synchronous_commit'])
      expect(texts.join('\n')).toContain(`PostgreSQL has ${setting} = 'off'`);
    expect(texts.join('\n')).toContain('Mend it by ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();');
  });

  it('are not looked at in the embedded PostgreSQL', async () => {
    expect(await warnings({ DATABASE_URL: undefined })).toEqual([]);
  });

  it.each([
    ['the database', `ALTER DATABASE "$" SET default_transaction_isolation = 'serializable'`],
    ['the database', `ALTER DATABASE "$" SET "DateStyle" = 'German'`],
    ['the role and the database', `ALTER ROLE CURRENT_USER IN DATABASE "$" SET DateStyle = 'SQL'`],
  ])('have a warning with the statement that mends it, for %s: %s', async (_where, statement) => {
    await app.sql(statement.replace('$', name));
    await reconnect();
    const [text = '', ...more] = await others();
    expect(more).toEqual([]);
    const [mend = ''] = /(?<=Mend it by ).*/.exec(text) ?? [];
    expect(mend).toMatch(/^ALTER/);
    await app.sql(mend);
    await reconnect();
    expect(await others()).toEqual([]);
  });

  it('have too few connections for the pool of a replica', async () => {
    expect(await others({ DATABASE_POOL_SIZE: 100_000 })).toEqual([
      expect.stringContaining(
        'a replica makes up to 100008 connections. Mend it by ALTER SYSTEM SET max_connections = 100028; and a restart of PostgreSQL',
      ),
    ]);
    expect(await others({ DATABASE_POOL_SIZE: 50_000, WORKERS: 2 })).toEqual([
      expect.stringContaining('a replica makes up to 100010 connections'),
    ]);
  });

  const row = {
    name: 'synchronous_standby_names',
    setting: '',
    context: 'sighup',
    source: 'default',
    database: 'gatehouse',
    role: '"Ada"',
    standbys: 1,
  };
  const commit = { ...row, name: 'synchronous_commit', setting: 'on', context: 'user' };

  it.each([
    [row, "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'; SELECT pg_reload_conf();"],
    [{ ...row, standbys: 0 }, null],
    [{ ...row, setting: 'db2' }, null],
    [commit, null],
    [{ ...commit, setting: 'remote_apply' }, null],
    [{ ...commit, setting: 'local' }, 'ALTER DATABASE gatehouse SET synchronous_commit = on;'],
    [{ ...commit, setting: 'off', source: 'user' }, 'ALTER ROLE "Ada" SET synchronous_commit = on;'],
  ])('are judged with what receives the log, and mended where they are set: %j', async (setting, mend) => {
    const texts = await warnings({}, { rows: async () => [setting] } as unknown as Database);
    expect(texts.map((text) => text.split('Mend it by ')[1])).toEqual(mend === null ? [] : [mend]);
  });
});
