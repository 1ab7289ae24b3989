/** Injection token of the connection string: the configured database's, or the embedded one's. */
export const DATABASE_URL = Symbol('databaseUrl');
