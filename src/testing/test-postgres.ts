import { type ChildProcess, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/index.js';

/** A PostgreSQL for the tests of this process. */
export interface TestPostgres {
  /** Connection string of an empty database. */
  readonly url: string;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** Bytes. Room for the databases of some workers. */
const MIN_MEMORY = 2 * 1024 ** 3;

/**
 * Starts the embedded PostgreSQL in its own folder, in memory where there is room: a copy of a
 * migrated database takes 0.02 s there, and 0.6 s on a disk. It ends with this process at the
 * latest.
 */
export async function startTestPostgres(): Promise<TestPostgres> {
  const dataDir = await mkdtemp(join(await roomyFolder(), 'gatehouse-test-'));
  await chmod(dataDir, 0o755); // as root, PostgreSQL runs as another user
  const { url, stop } = await startEmbeddedPostgres({ dataDir, durable: false });
  const { watcher, sockets } = await prepare(url, dataDir);
  return {
    url: bySocket(url, sockets),
    async stop() {
      watcher.kill();
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** @returns a folder in memory with room for some workers, else the folder of temporary files */
export async function roomyFolder(): Promise<string> {
  const memory = '/dev/shm'; // on Linux
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }));
  return bavail * bsize < MIN_MEMORY ? tmpdir() : memory;
}

/**
 * Adds the folder of the server's socket to its address, which stays valid for TCP: a statement
 * takes a fifth less processor time than over TCP.
 * @param sockets empty where there is none
 */
function bySocket(url: string, sockets: string): string {
  const address = new URL(url);
  if (sockets !== '') address.searchParams.set('host', sockets);
  return address.href;
}

async function prepare(
  url: string,
  dataDir: string,
): Promise<{ readonly watcher: ChildProcess; readonly sockets: string }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ cluster: string; sockets: string }>(
      "SELECT current_setting('data_directory') AS cluster, current_setting('unix_socket_directories') AS sockets",
    );
    const cluster = rows[0]?.cluster ?? '';
    const watcher = await endWithThisProcess(dataDir, cluster);
    await saveProcessorTime(client, cluster, new URL(url).password);
    return { watcher, sockets: rows[0]?.sockets ?? '' };
  } finally {
    await client.end();
  }
}

/**
 * Sets no password for the socket, which only the server's user and root reach, and one round of
 * SCRAM in place of 4,096 for TCP, as tests open thousands of connections; no autovacuum, and no
 * compiler for statements that are planned without statistics.
 */
async function saveProcessorTime(client: Client, cluster: string, password: string): Promise<void> {
  const access = join(cluster, 'pg_hba.conf');
  await writeFile(access, `local all all trust\n${await readFile(access, 'utf8')}`);
  await client.query('SET scram_iterations = 1');
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD ${client.escapeLiteral(password)}`);
  await client.query('ALTER SYSTEM SET autovacuum = off');
  await client.query('ALTER SYSTEM SET jit = off');
  await client.query('SELECT pg_reload_conf()');
}

/**
 * Runs in a separate process group, so that a signal to this one's group does not end it as well.
 */
async function endWithThisProcess(dataDir: string, cluster: string): Promise<ChildProcess> {
  const [pid = ''] = (await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n');
  const script = join(import.meta.dirname, `end-postgres${extname(import.meta.filename)}`);
  const watcher = spawn(process.execPath, [script, dataDir, pid], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watcher.unref();
  // A pipe is a socket, although its type does not say so.
  (watcher.stdin as unknown as { unref(): void }).unref();
  return watcher;
}
