import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { prepared, TenantDatabase } from '../database/index.js';
import { EVENT_DAYS } from './event-partitions.js';
import type { StreamedEvent } from './event-sequencer.js';

/** Entries that one page looks at, however few of them match. */
const MAX_SCANNED = 1_000;
/** Longest transaction that emits events, with room to spare. */
const MAX_TRANSACTION_MS = 300_000;

/** An event as an organization reads it. */
export type FeedEvent = Omit<StreamedEvent, 'tenantId'>;

/** Place of an event in the stream of an organization. */
interface Place {
  readonly tenantId: TenantId;
  readonly sequence: number;
}

interface FeedPage {
  readonly events: readonly FeedEvent[];
  /** Sequence number from which the next page continues. */
  readonly after: number;
  /** Whether events may follow. */
  readonly more: boolean;
}

const COLUMNS = `e.id, n.sequence, e.type, e.created_at AS "createdAt", e.subject, e.actor_id AS "actorId", e.data`;

/** Reads the streams of organizations, in order of `sequence`. */
@Injectable()
export class EventFeed {
  constructor(private readonly tenants: TenantDatabase) {}

  /**
   * Reads the events after a sequence number.
   * @param types names of the types to list
   */
  async read(
    tenantId: TenantId,
    {
      after,
      limit,
      types,
    }: { readonly after: number; readonly limit: number; readonly types: readonly string[] },
  ): Promise<FeedPage> {
    const rows = await this.tenants.rows<FeedEvent & { readonly isListed: boolean }>(
      tenantId,
      `SELECT ${COLUMNS}, e.type = ANY($3) AS "isListed"
       FROM (SELECT * FROM event_entries WHERE tenant_id = $1 AND sequence > $2 AND created_at > now() - interval '${EVENT_DAYS} days'
             ORDER BY sequence LIMIT ${MAX_SCANNED}) AS n
         JOIN events e ON e.created_at = n.created_at AND e.id = n.event_id ORDER BY n.sequence`,
      [after, types],
    );
    const listed = rows.filter(({ isListed }) => isListed).slice(0, limit);
    const isFull = listed.length === limit;
    const last = isFull ? listed.at(-1) : rows.at(-1);
    return {
      events: listed.map(toEvent),
      after: last ? Number(last.sequence) : after,
      more: isFull ? last !== rows.at(-1) || rows.length === MAX_SCANNED : rows.length === MAX_SCANNED,
    };
  }

  /**
   * Finds where to read the events since a time.
   * @returns a sequence number before all of them, and that of the last event of the stream
   */
  async findPosition(
    tenantId: TenantId,
    since: Date,
  ): Promise<{ readonly after: number; readonly last: number }> {
    const sql = 'SELECT last::float8 FROM event_streams WHERE tenant_id = $1';
    const last = (await this.tenants.value<number>(tenantId, sql)) ?? 0;
    const limit = new Date(since.getTime() - MAX_TRANSACTION_MS);
    // Times grow with sequence numbers, but for the duration of transactions.
    let [after, beyond] = [0, last];
    while (after < beyond) {
      const middle = Math.floor((after + beyond) / 2) + 1;
      const isAfter = await this.isAfter(tenantId, middle, limit);
      if (isAfter) beyond = middle - 1;
      else after = middle;
    }
    return { after, last };
  }

  /** Returns whether the event at a place is from a time on; an expired one is not. */
  private async isAfter(tenantId: TenantId, sequence: number, time: Date): Promise<boolean> {
    const sql = prepared('SELECT created_at >= $3 FROM event_entries WHERE tenant_id = $1 AND sequence = $2');
    return (await this.tenants.value<boolean>(tenantId, sql, [sequence, time])) ?? false;
  }

  /**
   * Finds events of streams by their sequence numbers.
   * @returns one for each place, in the same order, and the same object for the same place; null
   *   for one that has expired
   */
  async findEach(wanted: readonly Place[]): Promise<(FeedEvent | null)[]> {
    const places = new Map(wanted.map((place) => [keyOf(place), place]));
    const keys = [...places.keys()];
    const asked = [...places.values()];
    const rows = await this.tenants.rowsOfEach<FeedEvent & { readonly place: string }>(
      asked.map(({ tenantId }) => tenantId),
      prepared(`SELECT ${COLUMNS}, asked.place FROM unnest($1::text[], $2::bigint[]) WITH ORDINALITY AS asked (tenant_id, sequence, place)
         CROSS JOIN LATERAL (SELECT * FROM event_entries
           WHERE tenant_id = asked.tenant_id AND sequence = asked.sequence LIMIT 1) AS n
         CROSS JOIN LATERAL (SELECT * FROM events WHERE created_at = n.created_at AND id = n.event_id LIMIT 1) AS e`),
      [asked.map(({ sequence }) => sequence)],
    );
    const found = new Map(rows.map((row) => [keys[Number(row.place) - 1], toEvent(row)]));
    return wanted.map((place) => found.get(keyOf(place)) ?? null);
  }
}

const keyOf = ({ tenantId, sequence }: Place): string => `${tenantId} ${sequence}`;

/** PostgreSQL's bigint is a text; sequence numbers stay far below 2^53. */
function toEvent({ id, sequence, type, createdAt, subject, actorId, data }: FeedEvent): FeedEvent {
  return { id, sequence: Number(sequence), type, createdAt, subject, actorId, data };
}
