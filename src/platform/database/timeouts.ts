/** Bounds of what a request waits for, in milliseconds; beyond them the response is 503. */
export interface DatabaseTimeouts {
  /** For a connection of the pool. */
  readonly acquireMs: number;
  /** For a lock. */
  readonly lockMs: number;
  /** For a statement, locks included. */
  readonly statementMs: number;
  /** For PostgreSQL's response. */
  readonly answerMs: number;
}

/** The timeouts of production: a caller gets the 503 within three seconds in total. */
export const DATABASE_TIMEOUTS: DatabaseTimeouts = {
  acquireMs: 1_000,
  lockMs: 1_500,
  statementMs: 1_700,
  answerMs: 1_900,
};

/** Injection token of {@link DatabaseTimeouts}. */
export const TIMEOUTS = Symbol('databaseTimeouts');

/**
 * Maximum age of a connection, about half an hour: PostgreSQL keeps memory for each, and the
 * address may lead to another server by then. Spread, so that replicas do not connect at once.
 */
export const MAX_CONNECTION_AGE_SECONDS = 1_500 + Math.floor(600 * Math.random());
