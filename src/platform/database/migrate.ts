import { setTimeout as sleep } from 'node:timers/promises';
import pg, { Client, Pool } from 'pg';
import { DataSource, QueryFailedError, type MigrationInterface } from 'typeorm';
import { hostsOf } from '../config/index.js';
import { DatabaseUnreachable } from './connection/database-unreachable.js';
import { findPrimary } from './connection/find-primary.js';
import { guardBookkeeping, SCHEMA_MIGRATIONS } from './guard-bookkeeping.js';

/** Key of the advisory lock, the same in all releases. */
const MIGRATION_LOCK = 7_164_201_193;

/** Table of the applied migrations of another team's repository. */
const TEAM_MIGRATIONS = 'team_migrations';

/** Last migration of the pinned release of graphile-worker, which creates its own tables. */
export const JOB_TABLES = 20;

const CONNECT_TIMEOUT_MS = 3_000;
/**
 * Lock timeout of a migration. A migration that waits for a table (in use by a backup, say) blocks
 * all later requests for it. Their own lock timeout is longer, so that they proceed between tries.
 */
const LOCK_TIMEOUT_MS = 1_000;
const RETRY_INTERVAL_MS = 1_000;
const MAX_RETRY_MS = 300_000;

/** Says in one sentence why the database cannot be used. */
class UnsupportedDatabase extends Error {
  override readonly name = 'UnsupportedDatabase';
}

export type MigrationClass = new () => MigrationInterface;

/**
 * Migrates a database to the current schema, including the tables of the job queue. A session-level
 * advisory lock makes concurrent replicas wait for the first one; PostgreSQL releases it when the
 * connection closes.
 * @param address of one server, or of several, of which the primary is migrated
 * @param teamMigrations of another team's repository, which run after those of this service and are
 *   recorded in their own table: a later migration of this service may be older than theirs
 * @throws {DatabaseUnreachable}
 * @throws {UnsupportedDatabase} if its encoding is not UTF-8
 */
export async function migrateDatabase(
  address: string,
  migrations: readonly MigrationClass[],
  teamMigrations: readonly MigrationClass[] = [],
): Promise<void> {
  const url = await findPrimary(hostsOf(address));
  const lock = await connect(url);
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!(await areApplied(lock, SCHEMA_MIGRATIONS, migrations))) {
      await requireUtf8(lock, url);
      await applyPending(url, SCHEMA_MIGRATIONS, migrations);
    }
    if (!(await hasJobTables(lock))) await createJobTables(url);
    if (teamMigrations.length > 0 && !(await areApplied(lock, TEAM_MIGRATIONS, teamMigrations)))
      await applyPending(url, TEAM_MIGRATIONS, teamMigrations.map(guardBookkeeping));
  } finally {
    await lock.end();
  }
}

/**
 * Tells whether a database has the schema of this release and of a team; changes nothing.
 * @param address of one server, or of several, of which the primary is asked
 * @throws {DatabaseUnreachable}
 */
export async function isMigrated(
  address: string,
  migrations: readonly MigrationClass[],
  teamMigrations: readonly MigrationClass[] = [],
): Promise<boolean> {
  const client = await connect(await findPrimary(hostsOf(address)));
  try {
    if (!(await areApplied(client, SCHEMA_MIGRATIONS, migrations))) return false;
    return teamMigrations.length === 0 || (await areApplied(client, TEAM_MIGRATIONS, teamMigrations));
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: 'gatehouse-migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  client.on('error', () => undefined); // the next query fails
  await client.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(url, error);
  });
  return client;
}

/**
 * Tells whether all migrations are applied, as at most starts, without loading TypeORM's runner.
 */
async function areApplied(
  client: Client,
  table: string,
  migrations: readonly MigrationClass[],
): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass(quote_ident(current_schema()) || '.' || $1) IS NOT NULL AS there",
    [table],
  );
  if (!rows[0]?.there) return false;
  const applied = await client.query<{ name: string }>(`SELECT name FROM ${table}`);
  const names = new Set(applied.rows.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}

/** Names are sorted by ICU's rules, which PostgreSQL has for UTF-8 and not for SQL_ASCII. */
async function requireUtf8(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding ?? '';
  if (encoding === 'UTF8') return;
  const { host, pathname } = new URL(url);
  throw new UnsupportedDatabase(
    `the database ${pathname.slice(1)} at ${host} has the encoding ${encoding}. Create it with UTF8, as with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0`,
  );
}

/** Tells whether the tables are those of the pinned release; the library handles any other. */
async function hasJobTables(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) return false;
  const last = await client.query<{ id: number }>('SELECT max(id) AS id FROM graphile_worker.migrations');
  return last.rows[0]?.id === JOB_TABLES;
}

async function createJobTables(url: string): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  const pool = new Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined); // the next query fails
  pool.on('connect', (client) => client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}

async function applyPending(
  url: string,
  migrationsTableName: string,
  migrations: readonly MigrationClass[],
): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    driver: pg,
    url,
    migrations: [...migrations],
    migrationsTableName,
    extra: { lock_timeout: LOCK_TIMEOUT_MS },
    logger: 'debug', // the other loggers write to stdout, which is for results
  });
  await source.initialize();
  try {
    for (const limit = Date.now() + MAX_RETRY_MS; ; await sleep(RETRY_INTERVAL_MS)) {
      try {
        await source.runMigrations({ transaction: 'each' });
        return;
      } catch (error) {
        if (!isLockTimeout(error) || Date.now() > limit) throw error;
      }
    }
  } finally {
    await source.destroy();
  }
}

/** Tells whether the lock of a table timed out (lock_not_available). */
function isLockTimeout(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '55P03';
}
