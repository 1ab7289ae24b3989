/** Injection token of the connection string: the configured database's, or the embedded one's. */
export const DATABASE_URL = Symbol('databaseUrl');
/** Injection token of the one that leads to the server itself, for what needs a connection of its own: LISTEN, session locks, migrations. */
export const DATABASE_DIRECT_URL = Symbol('databaseDirectUrl');
