import type { Environment } from './app.module.js';
import type { GatehouseOptions } from './options.js';
import { loadRootSecret, readSettings, type Settings } from './platform/config/index.js';
import { hasCluster, startEmbeddedPostgres } from './platform/embedded-postgres/index.js';

/** Environment of this process, with its disposal. */
export interface OpenEnvironment extends Environment {
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** A database, which this process runs if none is configured. */
interface OpenDatabase {
  readonly url: string;
  stop(): Promise<void>;
}

interface Opening {
  readonly settings?: Settings;
  /** Address of the embedded database that another process runs. */
  readonly embedded?: string | null;
  /** Called with a line before each slow step. */
  readonly onProgress: (line: string) => void;
  /** Work of this process while the database starts. */
  readonly whileStarting?: () => void;
  /** Refuse to create or migrate a database. */
  readonly existing?: boolean;
}

/** Says in one sentence why the database must be created or migrated first. */
class DatabaseNotReady extends Error {
  override readonly name = 'DatabaseNotReady';
}

/**
 * Reads the settings, starts the embedded database if none is configured, and migrates. Imports the
 * migrations only when it needs them, so that `whileStarting` begins earlier.
 * @param options migrations of another team, if any
 * @throws {DatabaseNotReady} with `existing`, if there is no database of this release
 */
export async function openEnvironment(
  { migrations: teamMigrations }: GatehouseOptions,
  {
    settings = readSettings(process.env),
    embedded = null,
    onProgress,
    whileStarting,
    existing = false,
  }: Opening,
): Promise<OpenEnvironment> {
  const { DATABASE_URL, DATA_DIR } = settings;
  if (existing && !DATABASE_URL && !hasCluster(DATA_DIR))
    throw new DatabaseNotReady(
      `There is no database in ${DATA_DIR}. Set DATA_DIR or DATABASE_URL as for the service, or create one by the command migrate.`,
    );
  const rootSecret = await loadRootSecret(settings);
  const database =
    embedded === null
      ? await openDatabase(settings, onProgress, whileStarting)
      : { url: embedded, stop: async () => undefined };
  onProgress(existing ? 'Checking the database ...' : 'Migrating the database ...');
  try {
    const url = settings.DATABASE_DIRECT_URL?.reveal() ?? database.url;
    await (existing ? requireMigrated : migrate)(url, teamMigrations);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return { settings, rootSecret, databaseUrl: database.url, close: () => database.stop() };
}

/** Starts the embedded database if none is configured. */
export async function openDatabase(
  { DATABASE_URL, DATA_DIR }: Settings,
  onProgress: (line: string) => void,
  whileStarting?: () => void,
): Promise<OpenDatabase> {
  if (DATABASE_URL) return { url: DATABASE_URL.reveal(), stop: async () => undefined };
  onProgress(`Starting the embedded PostgreSQL under ${DATA_DIR} ...`);
  return startEmbeddedPostgres({ dataDir: DATA_DIR, durable: true, ...(whileStarting && { whileStarting }) });
}

async function migrate(url: string, teamMigrations: GatehouseOptions['migrations']): Promise<void> {
  const [{ migrateDatabase }, { migrations }] = await Promise.all([
    import('./platform/database/index.js'),
    import('../migrations/index.js'),
  ]);
  await migrateDatabase(url, migrations, teamMigrations);
}

async function requireMigrated(url: string, teamMigrations: GatehouseOptions['migrations']): Promise<void> {
  const [{ isMigrated }, { migrations }] = await Promise.all([
    import('./platform/database/index.js'),
    import('../migrations/index.js'),
  ]);
  if (!(await isMigrated(url, migrations, teamMigrations)))
    throw new DatabaseNotReady(
      'The database is empty or of an earlier release. Migrate it first, by the command migrate.',
    );
}
