import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import { AuditRetentionEntity } from './audit-retention.entity.js';

/** Days for which events are kept. */
export interface Periods {
  /** Where the organization has not said; null for no end. */
  readonly fallback: number | null;
  /** For events of no organization; null for no end. */
  readonly platform: number | null;
  /** For every organization, whatever it has said. */
  readonly min: number;
}

/** A chain, with the newest anchor that is over its retention and behind its start. */
export interface ChainWithOldAnchor {
  readonly tenantId: TenantId;
  /** Null for none. */
  readonly jws: string | null;
  /** Time before which it must be signed, in seconds since 1970; null without a retention. */
  readonly signedBefore: number | null;
}

/** A start of a chain that has been signed. */
export interface NewStart {
  readonly tenantId: TenantId;
  readonly sequence: number;
  readonly jws: string;
}

/** A chain with entries before its start. */
export interface ShortenedChain {
  readonly tenantId: TenantId;
  readonly startsAfter: number;
}

/** SQL of the days of the chain `c` with the retention `r`, by {@link Periods}; null for no end. */
const CHOSEN = "CASE c.tenant_id WHEN '' THEN $3::int ELSE coalesce(r.days, $1::int) END";
const DAYS = `CASE WHEN ${CHOSEN} < $2::int THEN $2::int ELSE ${CHOSEN} END`;

/** Retention of the audit trail, and the removal of what is over it (ADR 73). */
@Injectable()
export class AuditRetentionRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Returns the days that an organization has set; null for none. */
  async find(tenantId: TenantId): Promise<number | null> {
    return (await this.tenants.of(AuditRetentionEntity).findOne(tenantId, {}))?.days ?? null;
  }

  /** @param days null for the days of the service */
  async set(tenantId: TenantId, days: number | null): Promise<void> {
    if (days === null) await this.tenants.of(AuditRetentionEntity).delete(tenantId, {});
    else
      await this.tenants.rows(
        tenantId,
        `INSERT INTO audit_retentions (tenant_id, days) VALUES ($1, $2)
         ON CONFLICT (tenant_id) DO UPDATE SET days = excluded.days WHERE audit_retentions.tenant_id = $1`,
        [days],
      );
  }

  /**
   * Lists chains in order. What an anchor is of was recorded before the anchor was signed. When
   * that was, only its signature proves: an owner of the database can date a row back.
   * @param after organization of the last one; null at first
   */
  listWithOldAnchors(
    { fallback, min, platform }: Periods,
    after: TenantId | null,
    limit: number,
  ): Promise<ChainWithOldAnchor[]> {
    return this.database.rows<ChainWithOldAnchor>(
      prepared(`SELECT c.tenant_id AS "tenantId", a.jws, extract(epoch FROM now() - make_interval(days => ${DAYS}))::float8 AS "signedBefore"
       FROM (SELECT * FROM audit_chains WHERE $4::text IS NULL OR tenant_id > $4 ORDER BY tenant_id LIMIT $5) c
         LEFT JOIN audit_retentions r ON r.tenant_id = c.tenant_id
         LEFT JOIN LATERAL (SELECT jws FROM audit_anchors a
           WHERE a.tenant_id = c.tenant_id AND a.sequence > c.starts_after AND a.created_at < now() - make_interval(days => ${DAYS})
           ORDER BY a.sequence DESC LIMIT 1) a ON true
       ORDER BY c.tenant_id`),
      [fallback, min, platform, after, limit],
    );
  }

  /**
   * Stores starts of chains. The anchors before them go, and the names of what was deleted a day
   * before: its events are over too. The entries may go at any time.
   */
  async saveStarts(starts: readonly NewStart[]): Promise<void> {
    await this.database.rows(
      prepared(`WITH started AS (
         UPDATE audit_chains c SET starts_after = s.sequence, start = s.jws FROM unnest($1::text[], $2::bigint[], $3::text[]) AS s (tenant_id, sequence, jws)
         WHERE c.tenant_id = s.tenant_id AND c.starts_after < s.sequence RETURNING c.tenant_id, s.sequence),
       names AS (
         DELETE FROM former_names f USING started s JOIN audit_anchors a ON a.tenant_id = s.tenant_id AND a.sequence = s.sequence
         WHERE f.tenant_id = s.tenant_id AND f.deleted_at < a.created_at - interval '1 day')
       DELETE FROM audit_anchors a USING started s WHERE a.tenant_id = s.tenant_id AND a.sequence < s.sequence`),
      [
        starts.map(({ tenantId }) => tenantId),
        starts.map(({ sequence }) => sequence),
        starts.map(({ jws }) => jws),
      ],
    );
  }

  /**
   * Lists chains whose rows are removed one by one: others keep theirs for a month longer or more,
   * so that no partition of them can be dropped for long.
   * @param shared days by which a retention is too near to the longest one
   */
  listShortened(
    { fallback, min, platform }: Periods,
    shared: number,
    limit: number,
  ): Promise<ShortenedChain[]> {
    return this.database.rows<ShortenedChain>(
      prepared(`SELECT c.tenant_id AS "tenantId", c.starts_after::float8 AS "startsAfter"
       FROM audit_chains c LEFT JOIN audit_retentions r ON r.tenant_id = c.tenant_id
       WHERE c.removed < c.starts_after
         AND ($1::int IS NULL OR $3::int IS NULL
           OR ${DAYS} + $4::int < greatest($1::int, $2::int, $3::int, (SELECT max(days) FROM audit_retentions)))
       ORDER BY c.tenant_id LIMIT $5`),
      [fallback, min, platform, shared, limit],
    );
  }

  /**
   * Removes the oldest events of a chain up to its start, with their entries, in one transaction.
   * @returns whether more are left
   */
  removeBatch({ tenantId, startsAfter }: ShortenedChain, limit: number): Promise<boolean> {
    return this.database.transaction(async () => {
      const entries = await this.tenants.rows<{ eventId: string }>(
        tenantId,
        prepared(`SELECT event_id AS "eventId" FROM audit_entries
           WHERE tenant_id = $1 AND sequence <= $2 ORDER BY sequence LIMIT $3`),
        [startsAfter, limit],
      );
      const ids = entries.map(({ eventId }) => eventId);
      // In this order: the database deletes an event only while its entry says that it may.
      for (const [table, key] of [
        ['audit_events', 'id'],
        ['audit_details', 'event_id'],
        ['audit_entries', 'event_id'],
      ])
        await this.database.rows(prepared(`DELETE FROM ${table} WHERE ${key} = ANY($1::text[])`), [ids]);
      if (ids.length === limit) return true;
      await this.tenants.rows(
        tenantId,
        prepared('UPDATE audit_chains SET removed = $2 WHERE tenant_id = $1 AND removed < $2'),
        [startsAfter],
      );
      return false;
    });
  }
}
