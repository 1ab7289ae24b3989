import pg, { type PoolClient } from 'pg';
import { newId, type TenantId } from '../../src/kernel/index.js';
import type { EventFeed } from '../../src/platform/events/index.js';
import { eventually } from './test-app.js';

/** Type of the events that the writers insert. A spec declares it. */
export const WRITTEN_TYPE = 'test.thing.changed';

/** What a reader of the feed saw of a subject, and what the writers committed. */
export interface Followed {
  readonly seen: readonly string[];
  /** In the order in which their transactions began to write. */
  readonly committed: readonly string[];
}

interface Transaction {
  readonly session: PoolClient;
  readonly name: string;
}

/** Sessions of PostgreSQL that write events in separate transactions, next to the service. */
export class EventWriters {
  private readonly sessions: pg.Pool;
  private readonly open = new Set<PoolClient>();

  constructor(databaseUrl: string, max = 8) {
    this.sessions = new pg.Pool({ connectionString: databaseUrl, max });
    this.sessions.on('connect', (session) => void session.on('error', () => undefined));
    this.sessions.on('error', () => undefined);
  }

  /** Inserts an event, and leaves its transaction open. */
  async begin(tenantId: TenantId, name: string): Promise<Transaction> {
    const session = await this.sessions.connect();
    this.open.add(session);
    await session.query('BEGIN');
    await session.query(
      `INSERT INTO events (id, type, tenant_ids, subject, data)
       VALUES ($1, '${WRITTEN_TYPE}', ARRAY[$2], 'test/things/1', jsonb_build_object('name', $3::text))`,
      [newId(), tenantId, name],
    );
    return { session, name };
  }

  async end({ session }: Transaction, by: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    await session.query(by);
    this.open.delete(session);
    session.release();
  }

  /** Ends the session as the death of its process would. */
  async kill({ session }: Transaction): Promise<void> {
    const pid = (session as unknown as { processID: number }).processID;
    await this.sessions.query('SELECT pg_terminate_backend($1)', [pid]);
    this.open.delete(session);
    session.release(true);
  }

  /** Ends all sessions: a transaction that a failed test left open would hold back all events. */
  async stop(): Promise<void> {
    for (const session of this.open) session.release(true);
    await this.sessions.end();
  }
}

/**
 * Follows the feed of an organization while transactions that began in order end in another one,
 * some by a rollback and some by the death of their session.
 */
export async function followWriters(
  feed: EventFeed,
  databaseUrl: string,
  { writers, rounds }: { readonly writers: number; readonly rounds: number },
): Promise<Followed> {
  const tenantId = newId() as TenantId;
  const begun: string[] = [];
  const committed = new Set<string>();
  const seen: string[] = [];
  let after = 0;
  const follow = async (): Promise<void> => {
    const page = await feed.read(tenantId, { after, limit: 7, types: [WRITTEN_TYPE] });
    seen.push(...page.events.map(({ data }) => String(data['name'])));
    after = page.after;
  };
  // One session more, for the statements that kill the others.
  const sessions = new EventWriters(databaseUrl, writers + 1);
  try {
    for (let round = 0; round < rounds; round += 1) {
      const open: Transaction[] = [];
      for (let n = 0; n < writers; n += 1) {
        const name = `${round}-${n}`;
        open.push(await sessions.begin(tenantId, name));
        begun.push(name);
      }
      for (let n = 0; n < writers; n += 1) {
        const transaction = open.splice((n * 7) % open.length, 1)[0];
        if (!transaction) break;
        if (n % 5 === 1) await sessions.end(transaction, 'ROLLBACK');
        else if (n % 5 === 3) await sessions.kill(transaction);
        else {
          await sessions.end(transaction, 'COMMIT');
          committed.add(transaction.name);
        }
        for (let pages = n % 3; pages > 0; pages -= 1) await follow();
      }
    }
    await eventually('the reader has all', async () => {
      await follow();
      return seen.length >= committed.size;
    });
  } finally {
    await sessions.stop();
  }
  return { seen, committed: begun.filter((name) => committed.has(name)) };
}
