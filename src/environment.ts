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
  if (!settings.DATABASE_URL) progress(`Starting the embedded PostgreSQL under ${settings.DATA_DIR} ...`);
  const embedded = settings.DATABASE_URL
    ? null
    : await startEmbeddedPostgres({ dataDir: settings.DATA_DIR, durable: true, meanwhile });
  const databaseUrl = embedded?.url ?? settings.DATABASE_URL?.reveal() ?? '';
  progress('Migrating the database ...');
  try {
    await migrate(settings.DATABASE_DIRECT_URL?.reveal() ?? databaseUrl);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  return { settings, rootSecret, databaseUrl, close: async () => embedded?.stop() };
}

async function migrate(url: string): Promise<void> {
  const [{ migrateDatabase }, { migrations }] = await Promise.all([
    import('./platform/database/index.js'),
    import('../migrations/index.js'),
  ]);
  await migrateDatabase(url, migrations);
}
