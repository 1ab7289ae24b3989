/**
 * Injection token of the connection string of the configured or the embedded database; null for a
 * process that only describes the API.
 */
export const DATABASE_URL = Symbol('databaseUrl');
/**
 * Injection token of the connection string that bypasses a pooler, for what needs a connection of
 * its own: LISTEN, session locks, migrations.
 */
export const DATABASE_DIRECT_URL = Symbol('databaseDirectUrl');
