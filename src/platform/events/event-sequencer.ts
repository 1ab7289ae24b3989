import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database, prepared } from '../database/index.js';
import { describeCause } from '../errors/index.js';
import { findEventType } from './event-type.js';
import { WakingLoop } from './waking-loop.js';
import type { EventEntity } from './event.entity.js';

/** Tenant of the stream of the operators. */
export const PLATFORM = '' as TenantId;

/** Events numbered in one transaction. */
const BATCH = 500;
/** Interval at which events of other replicas are looked for. */
const POLL_MS = 500;
/** Interval while an event waits for an older transaction. */
const HELD_MS = 10;
/** Key of the advisory lock, the same in all releases. */
const SEQUENCER_LOCK = 7_164_201_194;

/** An event in the stream of one organization. */
export interface StreamedEvent extends Pick<
  EventEntity,
  'id' | 'type' | 'subject' | 'actorId' | 'createdAt'
> {
  readonly tenantId: TenantId;
  readonly sequence: number;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Called in the transaction that numbers the events; an error rolls it back. */
type Consumer = (events: readonly StreamedEvent[]) => Promise<void>;

interface ReadEvent extends Omit<StreamedEvent, 'tenantId' | 'sequence'> {
  readonly tenantIds: TenantId[];
  readonly xid: string;
  readonly seq: string;
}

interface Cursor {
  readonly xid: string;
  readonly seq: string;
  /** Whether it is ahead of the cluster: the database was restored into another one. */
  readonly isForeign: boolean;
}

/** Whether events wait behind the cursor. */
const PENDING = prepared(`SELECT EXISTS (SELECT 1 FROM event_cursors c
  WHERE c.consumer = 'sequencer' AND EXISTS (SELECT 1 FROM events e WHERE (e.xid, e.seq) > (c.xid, c.seq))) AS pending`);

/**
 * Gives each event its sequence number in each organization that it concerns, in the order in which
 * events become visible (ADR 39). One replica at a time.
 */
@Injectable()
export class EventSequencer implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Events');
  private readonly consumers: Consumer[] = [];
  private readonly loop = new WakingLoop(
    () => this.run(),
    (error) => this.logger.warn({ cause: describeCause(error) }, 'Events wait: the database did not answer.'),
    POLL_MS,
  );

  constructor(private readonly database: Database) {}

  /** Adds a consumer. Call it before the application has started. */
  consume(consumer: Consumer): void {
    this.consumers.push(consumer);
  }

  /** Looks for events now. */
  wake(): void {
    this.loop.wake();
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
  }

  /** @returns milliseconds until the next look */
  private async run(): Promise<number> {
    const { pending } = await this.database.getRow<{ pending: boolean }>(PENDING);
    if (!pending) return POLL_MS;
    const numbered = await this.database.transaction(() => this.numberBatch());
    return numbered === BATCH ? 0 : HELD_MS;
  }

  /** @returns the number of events that were numbered */
  private async numberBatch(): Promise<number> {
    const { locked } = await this.database.getRow<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${SEQUENCER_LOCK}) AS locked`,
    );
    if (!locked) return 0;
    const cursor = await this.readCursor();
    // Qualified, because xid alone would be the text of the result, in which 99 follows 100.
    const events = await this.database.rows<ReadEvent>(
      prepared(`SELECT id, type, tenant_ids AS "tenantIds", subject, actor_id AS "actorId", created_at AS "createdAt", data, xid::text, seq
       FROM events WHERE (xid, seq) > ($1::text::xid8, $2::bigint) AND xid < pg_snapshot_xmin(pg_current_snapshot())
       ORDER BY events.xid, events.seq LIMIT ${BATCH}`),
      [cursor.xid, cursor.seq],
    );
    const last = events.at(-1);
    if (!last) return 0;
    const streamed = await this.number(events);
    for (const consume of this.consumers) await consume(streamed);
    await this.database.rows(
      prepared("UPDATE event_cursors SET xid = $1::text::xid8, seq = $2 WHERE consumer = 'sequencer'"),
      [last.xid, last.seq],
    );
    return events.length;
  }

  private async number(events: readonly ReadEvent[]): Promise<StreamedEvent[]> {
    const placed = events.flatMap((event) => tenantsOf(event).map((tenantId) => ({ ...event, tenantId })));
    const groups = Map.groupBy(placed, ({ tenantId }) => tenantId);
    const tenantIds = [...groups.keys()].toSorted();
    const streams = await this.database.rows<{ tenantId: TenantId; last: string }>(
      prepared(`INSERT INTO event_streams AS s (tenant_id, last) SELECT * FROM unnest($1::text[], $2::bigint[])
       ON CONFLICT (tenant_id) DO UPDATE SET last = s.last + excluded.last RETURNING tenant_id AS "tenantId", last`),
      [tenantIds, tenantIds.map((id) => groups.get(id)?.length)],
    );
    const next = new Map(
      streams.map(({ tenantId, last }) => [tenantId, Number(last) - (groups.get(tenantId)?.length ?? 0)]),
    );
    const streamed = placed.map((event) => {
      const sequence = (next.get(event.tenantId) ?? 0) + 1;
      next.set(event.tenantId, sequence);
      return { ...event, sequence };
    });
    await this.database.rows(
      prepared(`INSERT INTO event_entries (tenant_id, sequence, created_at, event_id)
       SELECT p.tenant_id, p.sequence, e.created_at, e.id
       FROM unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::text[]) AS p (tenant_id, sequence, xid, seq, id)
         JOIN events e ON e.xid = p.xid::xid8 AND e.seq = p.seq AND e.id = p.id`),
      [
        streamed.map(({ tenantId }) => tenantId),
        streamed.map(({ sequence }) => sequence),
        streamed.map(({ xid }) => xid),
        streamed.map(({ seq }) => seq),
        streamed.map(({ id }) => id),
      ],
    );
    return streamed;
  }

  private async readCursor(): Promise<Cursor> {
    const sql = prepared(`SELECT xid::text, seq, xid > pg_snapshot_xmax(pg_current_snapshot()) AS "isForeign"
       FROM event_cursors WHERE consumer = 'sequencer'`);
    const cursor = await this.database.getRow<Cursor>(sql);
    return cursor.isForeign ? this.moveToThisCluster(cursor) : cursor;
  }

  /**
   * Gives the waiting events of a restored database the current transaction, as those of their own
   * cluster mean nothing here. They are read with the next batch.
   */
  private async moveToThisCluster({ xid, seq }: Cursor): Promise<Cursor> {
    await this.database.rows(
      'UPDATE events SET xid = pg_current_xact_id() WHERE (xid, seq) > ($1::text::xid8, $2::bigint)',
      [xid, seq],
    );
    return this.database.getRow<Cursor>(
      `UPDATE event_cursors SET xid = pg_snapshot_xmin(pg_current_snapshot()), seq = 0 WHERE consumer = 'sequencer'
       RETURNING xid::text, seq, false AS "isForeign"`,
    );
  }
}

/** Returns the streams of an event: its organizations, and the platform if its type says so. */
function tenantsOf({ type, tenantIds }: ReadEvent): TenantId[] {
  const { platform = false } = findEventType(type) ?? {};
  const isOfPlatform = platform === 'own' ? tenantIds.length === 0 : platform !== false;
  return isOfPlatform ? [...tenantIds, PLATFORM] : tenantIds;
}
