import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database, prepared, textArray } from '../../platform/database/index.js';
import { DETAILS_HASH, RECORD } from './entry-hash.js';

/** Key of the advisory lock, the same in all releases. */
const CHAINER_LOCK = 7_164_201_199;

/** An event that waits for its place. */
export interface WaitingEvent {
  readonly id: string;
  readonly xid: string;
  /** Empty for the platform; null if its organization is deleted, or is about to be. */
  readonly tenantId: TenantId | null;
  readonly isChained: boolean;
  readonly detailsHash: string | null;
  readonly record: string;
}

export interface ChainEnd {
  readonly tenantId: TenantId;
  readonly last: number;
  readonly hash: string;
}

/** A chain as it is stored. */
export interface StoredChain extends ChainEnd {
  /** Number of the last entry that may be removed; 0 for none. */
  readonly startsAfter: number;
  /** JWS that says so; null for none. */
  readonly start: string | null;
  /** Time of the last entry. */
  readonly chainedAt: Date;
  /** Time of the last entry that was verified; null for none. */
  readonly verifiedUntil: Date | null;
}

/** SQL of the columns of {@link StoredChain}, of the chain `c`. */
export const STORED_CHAIN = `c.tenant_id AS "tenantId", c.last::float8 AS last, encode(c.hash, 'hex') AS hash,
  c.starts_after::float8 AS "startsAfter", c.start, c.chained_at AS "chainedAt", c.verified_until AS "verifiedUntil"`;

/** An entry as it is stored. */
export interface NewEntry {
  readonly tenantId: TenantId;
  readonly sequence: number;
  readonly eventId: string;
  readonly detailsHash: string | null;
  readonly hash: string;
}

export interface ChainCursor {
  readonly xid: string;
  readonly eventId: string;
  /** Whether it is ahead of the cluster: the database was restored into another one. */
  readonly isForeign: boolean;
}

const waiting = (ended: string, limit: number): string =>
  prepared(`SELECT e.id, e.xid::text, ${RECORD} AS record, ${DETAILS_HASH} AS "detailsHash",
     CASE WHEN e.tenant_id IS NULL THEN '' WHEN t.deletion_started_at IS NULL THEN t.id END AS "tenantId",
     (SELECT true FROM audit_entries n WHERE n.event_id = e.id) IS NOT NULL AS "isChained"
   FROM audit_events e LEFT JOIN audit_details d ON d.event_id = e.id LEFT JOIN tenants t ON t.id = e.tenant_id
   WHERE (e.xid, e.id) > ($1::text::xid8, $2) AND ${ended} ORDER BY e.xid, e.id LIMIT ${limit}`);

/** Statements that append to the chains. */
@Injectable()
export class ChainRepository {
  constructor(private readonly database: Database) {}

  /**
   * Returns whether events wait, also for the end of an older transaction. By the order the planner
   * asks the index of each partition: it may else read them whole.
   */
  async hasWaiting(): Promise<boolean> {
    const row = await this.database.row(
      prepared(`SELECT 1 FROM audit_cursors c WHERE c.consumer = 'chain'
         AND ((SELECT true FROM audit_events e WHERE (e.xid, e.id) > (c.xid, c.event_id) ORDER BY e.xid, e.id LIMIT 1) IS NOT NULL OR c.xid > pg_snapshot_xmax(pg_current_snapshot()))`),
    );
    return row !== null;
  }

  /** Locks out other replicas until the transaction ends. @returns false if one appends now */
  async tryLockForUpdate(): Promise<boolean> {
    const { locked } = await this.database.getRow<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${CHAINER_LOCK}) AS locked`,
    );
    return locked;
  }

  readCursor(): Promise<ChainCursor> {
    return this.database.getRow<ChainCursor>(
      prepared(`SELECT xid::text, event_id AS "eventId", xid > pg_snapshot_xmax(pg_current_snapshot()) AS "isForeign"
         FROM audit_cursors WHERE consumer = 'chain'`),
    );
  }

  async moveCursor(xid: string, eventId: string): Promise<void> {
    await this.database.rows(
      prepared("UPDATE audit_cursors SET xid = $1::text::xid8, event_id = $2 WHERE consumer = 'chain'"),
      [xid, eventId],
    );
  }

  /**
   * Lists the events after a cursor that no event can precede any more: every transaction that is
   * as old has ended. After a foreign cursor, the events of the other cluster.
   */
  listWaiting({ xid, eventId, isForeign }: ChainCursor, limit: number): Promise<WaitingEvent[]> {
    const ended = isForeign
      ? 'e.xid >= pg_snapshot_xmax(pg_current_snapshot())'
      : 'e.xid < pg_snapshot_xmin(pg_current_snapshot())';
    return this.database.rows<WaitingEvent>(waiting(ended, limit), [xid, eventId]);
  }

  findEnds(tenantIds: readonly TenantId[]): Promise<StoredChain[]> {
    return this.database.rows<StoredChain>(
      prepared(`SELECT ${STORED_CHAIN} FROM audit_chains c WHERE c.tenant_id = ANY($1::text[])`),
      [textArray(tenantIds)],
    );
  }

  /** Stores entries and the ends of their chains. */
  async append(entries: readonly NewEntry[], ends: readonly ChainEnd[]): Promise<void> {
    await this.database.rows(
      prepared(`INSERT INTO audit_entries (tenant_id, sequence, event_id, details_hash, hash)
         SELECT tenant_id, sequence, event_id, decode(details_hash, 'hex'), decode(hash, 'hex')
         FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[]) AS n (tenant_id, sequence, event_id, details_hash, hash)`),
      [
        textArray(entries.map(({ tenantId }) => tenantId)),
        entries.map(({ sequence }) => sequence),
        textArray(entries.map(({ eventId }) => eventId)),
        textArray(entries.map(({ detailsHash }) => detailsHash)),
        textArray(entries.map(({ hash }) => hash)),
      ],
    );
    await this.database.rows(
      prepared(`INSERT INTO audit_chains (tenant_id, last, hash)
         SELECT tenant_id, last, decode(hash, 'hex') FROM unnest($1::text[], $2::bigint[], $3::text[]) AS c (tenant_id, last, hash)
         ON CONFLICT (tenant_id) DO UPDATE SET last = excluded.last, hash = excluded.hash, chained_at = now()`),
      [
        textArray(ends.map(({ tenantId }) => tenantId)),
        ends.map(({ last }) => last),
        textArray(ends.map(({ hash }) => hash)),
      ],
    );
  }
}
