export { DatabaseModule } from './database.module.js';
export { DATABASE_URL } from './database-url.token.js';
export { Database } from './database.js';
export { DatabaseUnreachable } from './database-unreachable.js';
export { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.js';
export { ImpatientClient } from './impatient-client.js';
export { migrateDatabase } from './migrate.js';
