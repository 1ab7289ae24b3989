import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import {
  backUpEmbedded,
  restoreEmbedded,
  startEmbeddedPostgres,
} from '../../src/platform/embedded-postgres/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const run = promisify(execFile);
const ROWS = 2_000;

describe('A backup of the embedded database', () => {
  let home: string;
  beforeAll(async () => {
    home = temporaryFolder('backup');
    await chmod(home, 0o755); // as root, PostgreSQL runs as another user
  });

  const start = async (name: string) => {
    const server = await startEmbeddedPostgres({ dataDir: join(home, name), durable: true });
    const client = new Client({ connectionString: server.url });
    await client.connect();
    return { ...server, client };
  };

  it('is whole while others write, and restored it has what was committed before', async () => {
    const { client, url, stop } = await start('first');
    await writeFile(join(home, 'first', 'root-secret'), 'a secret', { mode: 0o600 });
    await client.query('CREATE TABLE written (n integer PRIMARY KEY, text text)');
    const write = (from: number) =>
      client.query(
        `INSERT INTO written SELECT n, repeat('x', 1000) FROM generate_series($1::int, $2::int) n`,
        [from, from + ROWS - 1],
      );
    await write(0);
    let isOver = false;
    const backup = backUpEmbedded({ dataDir: join(home, 'first'), folder: join(home, 'copy') }, url).finally(
      () => (isOver = true),
    );
    for (let n = 1; !isOver; n += 1) await write(n * ROWS);
    await backup;
    const { rows: slots } = await client.query('SELECT 1 FROM pg_replication_slots');
    expect(slots).toEqual([]);
    await client.end();
    await stop();
    await restoreEmbedded({ dataDir: join(home, 'second'), folder: join(home, 'copy') });
    expect(await readFile(join(home, 'second', 'root-secret'), 'utf8')).toBe('a secret');
    const restored = await start('second');
    const { rows } = await restored.client.query<{ first: number; count: number; last: number }>(
      `SELECT count(*) FILTER (WHERE n < ${ROWS})::int AS first, count(*)::int, max(n) + 1 AS last FROM written WHERE length(text) = 1000`,
    );
    expect(rows[0]?.first).toBe(ROWS);
    expect(rows[0]?.count).toBe(rows[0]?.last); // whole transactions, in order
    await restored.client.end();
    await restored.stop();
    expect((await stat(join(home, 'copy'))).mode & 0o077).toBe(0);
  });

  /** Runs a command as an operator does. */
  const command = async (dataDir: string, ...words: string[]) => {
    const env = { ...process.env, DATA_DIR: join(home, dataDir), INIT_CWD: home, DATABASE_URL: '' };
    return run(process.execPath, ['dist/src/cli/main.js', ...words], { env }).then(
      ({ stdout }) => stdout.trim(),
      ({ stderr }: { stderr: string }) => stderr.trim().split('\n').at(-1),
    );
  };

  it('is a command, which writes over nothing', async () => {
    expect(await command('none', 'backup', '--folder', 'new')).toBe(
      `There is no database in ${join(home, 'none')}.`,
    );
    expect(await command('first', 'backup', '--folder', 'again')).toBe(
      JSON.stringify({ folder: join(home, 'again') }),
    );
    expect(await command('first', 'backup', '--folder', 'again')).toBe('--folder again: exists already');
    expect(await command('first', 'restore', '--folder', 'again')).toContain('There is a database in');
    await mkdir(join(home, 'empty'));
    expect(await command('third', 'restore', '--folder', 'empty')).toBe(
      `${join(home, 'empty')} is no backup.`,
    );
    expect(await command('third', 'restore', '--folder', 'again')).toBe(
      JSON.stringify({ restored: join(home, 'third') }),
    );
  });

  it('leaves nothing to start with if its restoration is interrupted, and can be restored again', async () => {
    const [folder, dataDir] = [join(home, 'again'), join(home, 'fourth')];
    const unreadable = join(folder, 'postgres', 'zz');
    await symlink(home, unreadable); // a folder, where a file is expected
    await expect(restoreEmbedded({ dataDir, folder })).rejects.toThrow();
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(false);
    await rm(unreadable);
    await restoreEmbedded({ dataDir, folder });
    const { client, stop } = await start('fourth');
    await client.end();
    await stop();
  });

  it('is not for another database', async () => {
    const ROOT_SECRET = Buffer.alloc(32, 1).toString('base64');
    const env = { ...process.env, DATABASE_URL: 'postgres://x@127.0.0.1:1/x', ROOT_SECRET };
    const backup = run(process.execPath, ['dist/src/cli/main.js', 'backup', '--folder', 'x'], { env });
    await expect(backup).rejects.toMatchObject({ stderr: expect.stringContaining('use pg_dump') as string });
  });
});
