/** Settings of a service in tests: no logs, cheap passwords, no waiting at the end. */
export const QUIET = {
  LOG_LEVEL: 'silent',
  NODE_ENV: 'test',
  BCRYPT_COST: '4',
  PUBLIC_URL: 'http://gatehouse.test',
  DRAIN_SECONDS: '0',
  METRICS_TOKEN: 'metrics-of-the-tests',
};

/** Settings without rate limits, and without limits of what may be sent and stored. */
export const NO_LIMITS = {
  RATE_READ: 'off',
  RATE_WRITE: 'off',
  RATE_LOGIN: 'off',
  RATE_REFRESH: 'off',
  RATE_RESET: 'off',
  RATE_HASH: 'off',
  RATE_OPTIONS: 'off',
  RATE_SETUP: 'off',
  RATE_SCIM: 'off',
  RATE_STATION: 'off',
  RATE_DOCUMENTS: 'off',
  LIMIT_MAILS: 'off',
  LIMIT_INVITATIONS: 'off',
  LIMIT_ORGANIZATIONS: 'off',
  LIMIT_DIRECTORY_RECORDS: 'off',
  LIMIT_DIRECTORY_BYTES: 'off',
};

/**
 * Waits for the database: on a busy machine, a connection, or a lock for which many wait at once,
 * takes longer than a caller of a production service should wait.
 */
export const PATIENT = {
  timeouts: { acquireMs: 20_000, lockMs: 20_000, statementMs: 20_000, answerMs: 25_000 },
};
