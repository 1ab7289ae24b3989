import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { DataSource, QueryFailedError, type MigrationInterface } from 'typeorm';
import { DatabaseUnreachable } from './database-unreachable.js';

/** Any fixed number: replicas that start together agree on it. */
const MIGRATION_LOCK = 7_164_201_193;

/** Of the tables that the job queue makes for itself: the last one of graphile-worker as it is pinned. */
export const JOB_TABLES = 20;

const CONNECT_TIMEOUT_MS = 3_000;
/**
 * A change that waits for a table (a backup reads it, say) holds up everybody who comes after it. Requests wait longer than this, so that they
 * are served in between; then it is tried again.
 */
const LOCK_TIMEOUT_MS = 1_000;
const BETWEEN_TRIES_MS = 1_000;
const PATIENCE_MS = 300_000;

export type MigrationClass = new () => MigrationInterface;

/**
 * Brings a database to the current schema, the job queue's tables included. Replicas may race: a session-level advisory lock lets one
 * do the work while the others wait, and falls with the connection when the migrator is killed.
 * @throws {DatabaseUnreachable}
 */
export async function migrateDatabase(url: string, migrations: readonly MigrationClass[]): Promise<void> {
  const lock = new Client({
    connectionString: url,
    application_name: 'gatehouse-migrate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  lock.on('error', () => undefined); // shows in the query that needed it
  await lock.connect().catch((error: unknown) => {
    throw new DatabaseUnreachable(url, error);
  });
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!(await areApplied(lock, migrations))) await applyPending(url, migrations);
    if (!(await hasJobTables(lock))) await makeJobTables(url);
  } finally {
    await lock.end();
  }
}

/** Asked beforehand, as most starts find nothing to do. */
async function areApplied(client: Client, migrations: readonly MigrationClass[]): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass(quote_ident(current_schema()) || '.schema_migrations') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) return false;
  const applied = await client.query<{ name: string }>('SELECT name FROM schema_migrations');
  const names = new Set(applied.rows.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
}

/** Others than ours, older or newer, are for the library to judge. */
async function hasJobTables(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    "SELECT to_regclass('graphile_worker.migrations') IS NOT NULL AS there",
  );
  if (!rows[0]?.there) return false;
  const last = await client.query<{ id: number }>('SELECT max(id) AS id FROM graphile_worker.migrations');
  return last.rows[0]?.id === JOB_TABLES;
}

async function makeJobTables(url: string): Promise<void> {
  const { runMigrations } = await import('graphile-worker');
  const pool = new Pool({ connectionString: url, max: 2 });
  pool.on('error', () => undefined); // a lost connection shows in the query that needed it
  pool.on('connect', (client) => void client.on('error', () => undefined));
  try {
    await runMigrations({ pgPool: pool });
  } finally {
    await pool.end();
  }
}

async function applyPending(url: string, migrations: readonly MigrationClass[]): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    url,
    migrations: [...migrations],
    migrationsTableName: 'schema_migrations',
    extra: { lock_timeout: LOCK_TIMEOUT_MS },
    logger: 'debug', // the others write to stdout, which is for results
  });
  await source.initialize();
  try {
    for (const limit = Date.now() + PATIENCE_MS; ; await sleep(BETWEEN_TRIES_MS)) {
      try {
        await source.runMigrations({ transaction: 'each' });
        return;
      } catch (error) {
        if (!wasTaken(error) || Date.now() > limit) throw error;
      }
    }
  } finally {
    await source.destroy();
  }
}

/** Whether somebody else had the table for longer than we wait: lock_not_available. */
function wasTaken(error: unknown): boolean {
  return error instanceof QueryFailedError && (error.driverError as { code?: string }).code === '55P03';
}
