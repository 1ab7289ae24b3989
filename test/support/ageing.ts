import type { ServiceClient } from './test-app.js';

/**
 * Ages rows: moves every time in them into the past. Works by the database's clock, which decides
 * what has expired.
 * @param where condition on the rows, with `parameters` from $1 on
 * @returns the number of rows
 */
export async function age(
  service: ServiceClient,
  table: string,
  seconds: number,
  where = 'true',
  parameters: readonly unknown[] = [],
): Promise<number> {
  const columns = await service.sql<{ name: string }>(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND data_type = 'timestamp with time zone'`,
    [table],
  );
  const moved = columns.map(({ name }) => `${name} = ${name} - interval '${seconds} seconds'`).join(', ');
  const rows = await service.sql(`UPDATE ${table} SET ${moved} WHERE ${where} RETURNING 1`, [...parameters]);
  return rows.length;
}

/** Ages a session and its grants. */
export async function ageSession(service: ServiceClient, sessionId: string, seconds: number): Promise<void> {
  await age(service, 'sessions', seconds, 'id = $1', [sessionId]);
  await age(service, 'grants', seconds, 'session_id = $1', [sessionId]);
}
