export { anywhere, findAnyPart, isSearchedAnywhere } from './any-part.js';
export {
  BYTEWISE_TEXT,
  columnsOf,
  CREATED_AT,
  CREATED_AT_MS,
  SEARCH_TEXT,
  type Selected,
  TIMESTAMP,
  TRANSACTION_ID,
  XID8,
} from './columns.js';
export { DATABASE_DIRECT_URL, DATABASE_URL } from './database-url.token.js';
export { Database, type EntityRepository, type Removable, turnEnd } from './database.js';
export { DatabaseModule } from './database.module.js';
export { Primary } from './connection/primary.js';
export { ImpatientClient } from './connection/impatient-client.js';
export { textArray } from './text-array.js';
export {
  DATABASE_TIMEOUTS,
  type DatabaseTimeouts,
  MAX_CONNECTION_AGE_SECONDS,
  TIMEOUTS,
} from './timeouts.js';
export { prepared } from './connection/prepared.js';
export { type RowContext, TenantDatabase } from './tenant-database.js';
export type { TenantRows } from './tenant-rows.js';
export { TurnBatch } from './turn-batch.js';
export { isUniqueViolation } from './unique-violation.js';
export { isMigrated, migrateDatabase, type MigrationClass } from './migrate.js';
