import { Client } from 'pg';
import { eventually, type TestApp } from './test-app.js';

/**
 * Sends requests one after the other while another transaction has run a statement but not
 * committed: each once the one before waits for a lock. Then commits, so that they continue in
 * this order, however fast the machine is.
 * @param statement takes a lock that the first request waits for
 * @returns the results, in order
 */
export async function inTurnBehind<R extends unknown[]>(
  app: TestApp,
  [statement, ...parameters]: readonly [statement: string, ...parameters: unknown[]],
  ...requests: { [N in keyof R]: () => Promise<R[N]> }
): Promise<R> {
  const other = new Client({ connectionString: app.databaseUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(statement, parameters);
    const results: Promise<unknown>[] = [];
    for (const request of requests) {
      results.push(request());
      await eventually(
        `request ${results.length} waits for a lock`,
        async () => (await app.waitingForLocks()) === results.length,
      );
    }
    await other.query('COMMIT');
    return (await Promise.all(results)) as R;
  } finally {
    await other.end();
  }
}

/**
 * Sends a request while another transaction has run a statement but not committed, and commits once
 * it is answered: the request must not wait for that lock.
 */
export async function behindLock<R>(
  app: TestApp,
  [statement, ...parameters]: readonly [statement: string, ...parameters: unknown[]],
  request: () => Promise<R>,
): Promise<R> {
  const other = new Client({ connectionString: app.databaseUrl });
  await other.connect();
  try {
    await other.query('BEGIN');
    await other.query(statement, parameters);
    return await request();
  } finally {
    await other.end();
  }
}
