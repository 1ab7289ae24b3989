import { migrations } from '../migrations/index.js';
import type { Environment } from './app.module.js';
import { loadRootSecret, readSettings } from './platform/config/index.js';
import { migrateDatabase, startEmbeddedPostgres } from './platform/database/index.js';

/** The environment of this process and how to let go of it. */
export interface OpenEnvironment extends Environment {
  close(): Promise<void>;
}

/** Reads the settings, starts the embedded database where none is configured, and migrates; `progress` hears what takes time. */
export async function openEnvironment(progress: (line: string) => void): Promise<OpenEnvironment> {
  const settings = readSettings(process.env);
  const rootSecret = await loadRootSecret(settings);
  if (!settings.DATABASE_URL) progress(`Starting the embedded PostgreSQL under ${settings.DATA_DIR} ...`);
  const embedded = settings.DATABASE_URL
    ? null
    : await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, durable: true });
  const databaseUrl = embedded?.url ?? settings.DATABASE_URL?.reveal() ?? '';
  progress('Migrating the database ...');
  await migrateDatabase(settings.DATABASE_DIRECT_URL?.reveal() ?? databaseUrl, migrations);
  return { settings, rootSecret, databaseUrl, close: async () => embedded?.stop() };
}
