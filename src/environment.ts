import type { Environment } from './app.module.js';
import { loadRootSecret, readSettings } from './platform/config/index.js';
import { startEmbeddedPostgres } from './platform/embedded-postgres/index.js';

/** The environment of this process and how to let go of it. */
export interface OpenEnvironment extends Environment {
  close(): Promise<void>;
}

/**
 * Reads the settings, starts the embedded database where none is configured, and migrates.
 * @param progress hears what takes time
 * @param meanwhile what this process can do while the database starts. That is also why this file loads what migrates no sooner than it is needed.
 */
export async function openEnvironment(
  progress: (line: string) => void,
  meanwhile: () => void = () => undefined,
): Promise<OpenEnvironment> {
  const settings = readSettings(process.env);
  const rootSecret = await loadRootSecret(settings);
  const { DATABASE_URL, DATA_DIR } = settings;
  if (!DATABASE_URL) progress(`Starting the embedded PostgreSQL under ${DATA_DIR} ...`);
  const database = DATABASE_URL
    ? { url: DATABASE_URL.reveal(), stop: async () => undefined }
    : await startEmbeddedPostgres({ dataDir: DATA_DIR, durable: true, meanwhile });
  progress('Migrating the database ...');
  try {
    await migrate(settings.DATABASE_DIRECT_URL?.reveal() ?? database.url);
  } catch (error) {
    await database.stop();
    throw error;
  }
  return { settings, rootSecret, databaseUrl: database.url, close: () => database.stop() };
}

async function migrate(url: string): Promise<void> {
  const [{ migrateDatabase }, { migrations }] = await Promise.all([
    import('./platform/database/index.js'),
    import('../migrations/index.js'),
  ]);
  await migrateDatabase(url, migrations);
}
