import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { createCluster } from './cluster.js';
import { findPlace } from './place.js';
import { startServer, stop } from './server.js';

/** Running embedded PostgreSQL. */
export interface EmbeddedPostgres {
  /** Connection string; its password is stored in the data directory. */
  readonly url: string;
  /** Stops the server, unless another process (such as the command line) still uses it. */
  stop(): Promise<void>;
}

interface Options {
  readonly dataDir: string;
  /** False in tests: data need not survive a power failure, and the server has a socket as well. */
  readonly durable: boolean;
  /** Called, perhaps more than once, while this process waits for another. */
  readonly whileStarting?: () => void;
}

const MAX_LOCK_WAIT_MS = 120_000;
const POLL_MS = 30;

/**
 * Starts PostgreSQL under `dataDir`, or connects to the one already running there. Creates the
 * cluster on the first start.
 */
export async function startEmbeddedPostgres({
  dataDir: given,
  durable,
  whileStarting = () => undefined,
}: Options): Promise<EmbeddedPostgres> {
  await mkdir(given, { recursive: true });
  const dataDir = await realpath(given); // access depends on the parents of the real directory
  return withLock(dataDir, async () => {
    const password = await loadPassword(dataDir);
    const urlOf = (port: number, database: string) =>
      `postgres://gatehouse:${password}@127.0.0.1:${port}/${database}`;
    const place = await findPlace(dataDir);
    await createCluster(place, password, durable, whileStarting);
    const { holder, port } = await startServer(
      place,
      durable,
      (candidate) => urlOf(candidate, 'postgres'),
      whileStarting,
    );
    await createDatabase(holder);
    return {
      url: urlOf(port, 'gatehouse'),
      stop: () => withLock(dataDir, () => stop(place.cluster, holder)),
    };
  });
}

/** Returns whether the embedded database has been created under `dataDir`. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, 'postgres', 'PG_VERSION'));
}

/**
 * Runs work under a lock, so that one process at a time starts or stops the server. Uses a SQLite
 * lock, which the operating system releases if its holder crashes.
 */
async function withLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(dataDir, 'postgres.lock'), { timeout: 0 });
  try {
    for (const limit = Date.now() + MAX_LOCK_WAIT_MS; ; await sleep(POLL_MS)) {
      try {
        lock.exec('BEGIN EXCLUSIVE');
        break;
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== 5 || Date.now() > limit) throw error; // 5: SQLITE_BUSY
      }
    }
    return await work();
  } finally {
    lock.close();
  }
}

async function loadPassword(dataDir: string): Promise<string> {
  const file = join(dataDir, 'postgres-password');
  if (!existsSync(file)) {
    const draft = `${file}.draft`;
    await rm(draft, { force: true });
    await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 });
    await link(draft, file); // atomic
    await rm(draft);
  }
  return readFile(file, 'utf8');
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'gatehouse'");
  if (rowCount === 0) await client.query('CREATE DATABASE gatehouse');
}
