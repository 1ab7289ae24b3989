import type { Client } from 'pg';
import { DatabaseUnreachable } from './database-unreachable.js';
import { ImpatientClient } from './impatient-client.js';
import { NotPrimary, PLAIN_SERVER, type Server } from './server.js';

const ANSWER_MS = 3_000;

/**
 * Finds the server that takes writes, before the service knows its primary.
 * @param addresses of servers; a single one is returned and not asked
 * @throws {DatabaseUnreachable} if none takes writes
 */
export async function findPrimary(addresses: readonly string[]): Promise<string> {
  const [only = ''] = addresses;
  if (addresses.length === 1) return only;
  return Promise.any(addresses.map(requireWrites)).catch((error: unknown) => {
    throw new DatabaseUnreachable(addresses, error);
  });
}

async function requireWrites(address: string): Promise<string> {
  const client: Client = new ImpatientClient({
    connectionString: address,
    application_name: 'gatehouse',
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  });
  try {
    await client.connect();
    const { rows } = await client.query<Server>(PLAIN_SERVER);
    if (rows[0]?.readOnly !== false) throw new NotPrimary('The server takes no writes.');
    return address;
  } finally {
    client.end().catch(() => undefined);
  }
}
