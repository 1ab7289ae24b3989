import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { DETAILS_HASH, RECORD } from '../chain/entry-hash.js';
import { STORED_CHAIN, type StoredChain } from '../chain/chain.repository.js';

/** Entries of a chain that are read at once. */
const BATCH = 5_000;
/** Events of which only the ids are read at once. */
const SCANNED = 50_000;

/** An entry, as the next one commits to it. */
export interface Link {
  readonly sequence: number;
  readonly hash: string;
}

/** An entry with what it commits to, as both are stored now. */
export interface StoredEntry {
  readonly sequence: number;
  readonly hash: string;
  readonly detailsHash: string | null;
  /** Null if the event does not exist. */
  readonly record: string | null;
  /** Hash of the details that exist; empty if they lost their salt; null for none. */
  readonly actualDetailsHash: string | null;
  /** Whether the account was erased, and the details with it. */
  readonly isErased: boolean;
}

/** An event, with its entry. */
export interface SweptEvent extends Omit<StoredEntry, 'sequence'> {
  /** Of the chain that the entry is in; null if the event has no entry, or one in another chain. */
  readonly tenantId: TenantId | null;
  readonly sequence: number | null;
}

/** A part of the events, in order of id. */
export interface ScannedEvents {
  /** Id of the last one; null at the end. */
  readonly last: string | null;
  /** Of the first one that should be in a chain and is not; null if there is none. */
  readonly unchained: { readonly id: string; readonly tenantId: TenantId } | null;
}

/** SQL of the columns of {@link StoredEntry}: entry `n`, its event `e` and its details `d`. */
const STORED_ENTRY = `n.sequence::float8 AS sequence, encode(n.hash, 'hex') AS hash, encode(n.details_hash, 'hex') AS "detailsHash",
  CASE WHEN e.id IS NOT NULL THEN ${RECORD} END AS record,
  CASE WHEN d.salt IS NOT NULL THEN ${DETAILS_HASH} WHEN d.event_id IS NOT NULL AND e.xid > '0'::xid8 THEN '' END AS "actualDetailsHash",
  n.details_hash IS NOT NULL AND d.salt IS NULL AND (SELECT true FROM accounts a WHERE a.id = e.account_id AND a.erased_at IS NOT NULL) IS NOT NULL AS "isErased"`;
const CHAINS = `SELECT ${STORED_CHAIN} FROM audit_chains c LEFT JOIN tenants t ON t.id = c.tenant_id`;
/** Chains of organizations that are deleted lose their events in some order. */
const COMPLETE = "(c.tenant_id = '' OR t.deletion_started_at IS NULL AND t.id IS NOT NULL)";

/** Reads the chains and what they commit to, some rows at a time. */
@Injectable()
export class VerificationRepository {
  constructor(private readonly database: Database) {}

  /** @param after organization of the last chain; null for the first ones */
  listChains(after: TenantId | null, limit: number): Promise<StoredChain[]> {
    return this.database.rows<StoredChain>(
      `${CHAINS} WHERE ($1::text IS NULL OR c.tenant_id > $1) AND ${COMPLETE} ORDER BY c.tenant_id LIMIT $2`,
      [after, limit],
    );
  }

  findChain(tenantId: TenantId): Promise<StoredChain | null> {
    return this.database.row<StoredChain>(`${CHAINS} WHERE c.tenant_id = $1`, [tenantId]);
  }

  /** Returns whether an organization, or the platform, has a chain as soon as it has an event. */
  async keepsChain(tenantId: TenantId): Promise<boolean> {
    const row = await this.database.row(
      "SELECT 1 WHERE $1 = '' OR EXISTS (SELECT 1 FROM tenants WHERE id = $1 AND deletion_started_at IS NULL)",
      [tenantId],
    );
    return row !== null;
  }

  /** @param until time of the last entry that is right */
  async saveVerified(tenantId: TenantId, until: Date): Promise<void> {
    await this.database.rows(prepared('UPDATE audit_chains SET verified_until = $2 WHERE tenant_id = $1'), [
      tenantId,
      until,
    ]);
  }

  async findLink(tenantId: TenantId, sequence: number): Promise<Link | null> {
    return (await this.listLinks(tenantId, [sequence]))[0] ?? null;
  }

  /** Returns the entries with these numbers: more than one of a number if the trail was changed. */
  listLinks(tenantId: TenantId, sequences: readonly number[]): Promise<Link[]> {
    return this.database.rows<Link>(
      prepared(`SELECT sequence::float8 AS sequence, encode(hash, 'hex') AS hash FROM audit_entries
         WHERE tenant_id = $1 AND sequence = ANY($2::bigint[])`),
      [tenantId, sequences],
    );
  }

  /**
   * Returns the first entries after one, up to another. Each event is looked up by index: the
   * planner would read whole tables. By a limit in place of a bound, it would sort all entries up
   * to the other one for each batch.
   */
  listEntries(tenantId: TenantId, after: number, to: number): Promise<StoredEntry[]> {
    return this.database.rows<StoredEntry>(
      prepared(`SELECT ${STORED_ENTRY}
       FROM (SELECT * FROM audit_entries WHERE tenant_id = $1 AND sequence > $2 AND sequence <= $3) AS n
         LEFT JOIN LATERAL (SELECT * FROM audit_events WHERE id = n.event_id LIMIT 1) AS e ON true
         LEFT JOIN LATERAL (SELECT * FROM audit_details WHERE event_id = n.event_id LIMIT 1) AS d ON true
       ORDER BY n.sequence`),
      [tenantId, after, Math.min(after + BATCH, to)],
    );
  }

  /** Returns the id of the last of so many events after one; null if there are fewer. */
  async findEndOfPart(after: string, events: number): Promise<string | null> {
    const row = await this.database.row<{ id: string }>(
      prepared(`SELECT id FROM audit_events WHERE id > $1 ORDER BY id OFFSET ${events - 1} LIMIT 1`),
      [after],
    );
    return row?.id ?? null;
  }

  /**
   * Returns the events after one, up to another, with their entries and details, and the entries
   * among them that have no event. All three tables are read once, in about the order in which they
   * were written.
   * @param to null for all that follow
   */
  sweepEvents(after: string, to: string | null): Promise<SweptEvent[]> {
    const within = (key: string): string => `${key} > $1 AND ${key} <= coalesce($2, chr(1114111))`;
    return this.database.rows<SweptEvent>(
      prepared(`SELECT CASE WHEN e.id IS NULL OR coalesce(e.tenant_id, '') = n.tenant_id THEN n.tenant_id END AS "tenantId", ${STORED_ENTRY}
       FROM (SELECT * FROM audit_events WHERE ${within('id')}) AS e
         FULL JOIN (SELECT * FROM audit_entries WHERE ${within('event_id')}) AS n ON n.event_id = e.id
         LEFT JOIN (SELECT * FROM audit_details WHERE ${within('event_id')}) AS d ON d.event_id = e.id`),
      [after, to],
    );
  }

  /**
   * Looks for events that the chainer has passed and that are in no chain: without an entry, with
   * one in the chain of another organization, or with a number that its chain does not have. An
   * entry is of an event, so that as many entries as events, from the same id on, have all that
   * these events can have. None is told while the cursor is of the cluster from which the database
   * was restored: events of this cluster have lower transactions, and wait.
   * @param only organization whose events are looked for; null for all events
   */
  async scanEvents(after: string, only: TenantId | null): Promise<ScannedEvents> {
    return this.database.getRow<ScannedEvents>(
      prepared(`WITH part AS MATERIALIZED (SELECT id, xid, tenant_id FROM audit_events WHERE id > $1 ORDER BY id LIMIT ${SCANNED}),
         chained AS MATERIALIZED (SELECT event_id, tenant_id, sequence FROM audit_entries WHERE event_id > $1 ORDER BY event_id LIMIT ${SCANNED})
       SELECT (SELECT max(id) FROM part) AS last,
         (SELECT json_build_object('id', p.id, 'tenantId', coalesce(p.tenant_id, ''))
          FROM part p CROSS JOIN audit_cursors c LEFT JOIN chained n ON n.event_id = p.id AND n.tenant_id = coalesce(p.tenant_id, '')
            LEFT JOIN audit_chains h ON h.tenant_id = n.tenant_id LEFT JOIN tenants t ON t.id = p.tenant_id
          WHERE c.consumer = 'chain' AND c.xid <= pg_snapshot_xmax(pg_current_snapshot()) AND (p.xid, p.id) <= (c.xid, c.event_id) AND (n.sequence BETWEEN 1 AND h.last) IS NOT TRUE
            AND ($2::text IS NULL OR coalesce(p.tenant_id, '') = $2)
            AND (p.tenant_id IS NULL OR t.deletion_started_at IS NULL AND t.id IS NOT NULL)
          ORDER BY p.id LIMIT 1) AS unchained`),
      [after, only],
    );
  }

  /** Returns how many events are in no chain yet, up to `max`. */
  async countWaiting(max: number): Promise<number> {
    const { count } = await this.database.getRow<{ count: number }>(
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM audit_events e JOIN audit_cursors c ON c.consumer = 'chain'
         WHERE (e.xid, e.id) > (c.xid, c.event_id) LIMIT $1) AS w`,
      [max],
    );
    return count;
  }
}
