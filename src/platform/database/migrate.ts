import { setTimeout as sleep } from 'node:timers/promises';
import { runMigrations as migrateJobs } from 'graphile-worker';
import { Client, Pool } from 'pg';
import { DataSource, QueryFailedError, type MigrationInterface } from 'typeorm';
import { DatabaseUnreachable } from './database-unreachable.js';

/** Any fixed number: replicas that start together agree on it. */
const MIGRATION_LOCK = 7_164_201_193;

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
    const pool = new Pool({ connectionString: url, max: 2 });
    pool.on('error', () => undefined); // a lost connection shows in the query that needed it
    pool.on('connect', (client) => void client.on('error', () => undefined));
    try {
      await migrateJobs({ pgPool: pool });
    } finally {
      await pool.end();
    }
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
