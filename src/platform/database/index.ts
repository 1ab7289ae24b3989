export { DatabaseModule } from './database.module.js';
export { DATABASE_URL } from './database-url.token.js';
export { Database } from './database.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
export { migrateDatabase } from './migrate.js';
