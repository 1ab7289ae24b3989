import type { Environment } from './app.module.js';
import type { GatehouseOptions } from './options.js';
import { loadRootSecret, readSettings } from './platform/config/index.js';
import { startEmbeddedPostgres } from './platform/embedded-postgres/index.js';

/** Environment of this process, with its disposal. */
export interface OpenEnvironment extends Environment {
  close(): Promise<void>;
}

/**
 * Reads the settings, starts the embedded database if none is configured, and migrates. Imports the
 * migrations only when it runs them, so that `whileStarting` begins earlier.
 * @param options migrations of another team, if any
 * @param onProgress called with a line before each slow step
 * @param whileStarting work of this process while the database starts
 */
export async function openEnvironment(
  { migrations: teamMigrations }: GatehouseOptions,
  onProgress: (line: string) => void,
  whileStarting: () => void = () => undefined,
): Promise<OpenEnvironment> {
  const settings = readSettings(process.env);
  const rootSecret = await loadRootSecret(settings);
  const { DATABASE_URL, DATA_DIR } = settings;
  if (!DATABASE_URL) onProgress(`Starting the embedded PostgreSQL under ${DATA_DIR} ...`);
  const database = DATABASE_URL
    ? { url: DATABASE_URL.reveal(), stop: async () => undefined }
    : await startEmbeddedPostgres({ dataDir: DATA_DIR, durable: true, whileStarting });
  onProgress('Migrating the database ...');
  try {
    await migrate(settings.DATABASE_DIRECT_URL?.reveal() ?? database.url, teamMigrations);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return { settings, rootSecret, databaseUrl: database.url, close: () => database.stop() };
}

async function migrate(url: string, teamMigrations: GatehouseOptions['migrations']): Promise<void> {
  const [{ migrateDatabase }, { migrations }] = await Promise.all([
    import('./platform/database/index.js'),
    import('../migrations/index.js'),
  ]);
  await migrateDatabase(url, migrations, teamMigrations);
}
