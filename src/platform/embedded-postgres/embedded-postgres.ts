import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { createCluster } from './cluster.js';
import { findPlace } from './place.js';
import { bringUp, stop } from './server.js';

/** A running PostgreSQL of our own. */
export interface EmbeddedPostgres {
  /** Connection string; the password in it is kept in the data directory. */
  readonly url: string;
  /** Stops the server, unless somebody else (the CLI beside the service) still uses it. */
  stop(): Promise<void>;
}

interface Options {
  readonly dataDir: string;
  /** False for tests: nothing has to survive a power cut. */
  readonly durable: boolean;
  /** Called, perhaps more than once, as soon as this process does nothing but wait for others. */
  readonly meanwhile?: () => void;
}

const LOCK_LIMIT_MS = 120_000;
const POLL_MS = 30;

/** Starts PostgreSQL under `dataDir`, or joins the one that already runs there. Makes the cluster at first. */
export async function startEmbeddedPostgres({
  dataDir: given,
  durable,
  meanwhile = () => undefined,
}: Options): Promise<EmbeddedPostgres> {
  await mkdir(given, { recursive: true });
  const dataDir = await realpath(given); // the parents that matter are those of the real directory
  return withLock(dataDir, async () => {
    const password = await loadPassword(dataDir);
    const urlOf = (port: number, database: string) =>
      `postgres://gatehouse:${password}@127.0.0.1:${port}/${database}`;
    const place = await findPlace(dataDir);
    await createCluster(place, password, durable, meanwhile);
    const { holder, port } = await bringUp(
      place,
      durable,
      (candidate) => urlOf(candidate, 'postgres'),
      meanwhile,
    );
    await createDatabase(holder);
    return {
      url: urlOf(port, 'gatehouse'),
      stop: () => withLock(dataDir, () => stop(place.cluster, holder)),
    };
  });
}

/** One process at a time starts or stops the server. The lock is SQLite's, which the system lifts when its holder crashes. */
async function withLock<T>(dataDir: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(dataDir, 'postgres.lock'), { timeout: 0 });
  try {
    for (const limit = Date.now() + LOCK_LIMIT_MS; ; await sleep(POLL_MS)) {
      try {
        lock.exec('BEGIN EXCLUSIVE');
        break;
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== 5 || Date.now() > limit) throw error; // 5: held by another
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
    await link(draft, file); // whole or not at all
    await rm(draft);
  }
  return readFile(file, 'utf8');
}

async function createDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query("SELECT 1 FROM pg_database WHERE datname = 'gatehouse'");
  if (rowCount === 0) await client.query('CREATE DATABASE gatehouse');
}
