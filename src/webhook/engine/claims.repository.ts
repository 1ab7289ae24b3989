import { Injectable } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import type { Endpoint } from '../endpoints/endpoint.repository.js';
import type { Room } from './slots.js';

/** Lease of a claim: longer than the longest request. */
const LEASE_SECONDS = 60;

/** A claimed delivery, with what its request needs of the subscription. */
export interface Claim extends Pick<
  Endpoint,
  'url' | 'ordering' | 'personalData' | 'signing' | 'sealedSecret' | 'sealedPrevious' | 'previousUntil'
> {
  readonly tenantId: TenantId;
  readonly id: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly isTest: boolean;
  readonly orderKey: string | null;
  readonly attempts: number;
  /** End of the lease, which identifies the claim. */
  readonly lease: string;
  readonly createdBy: UserId;
  /** Whether the subscription is failing or failed last. */
  readonly isTroubled: boolean;
  readonly isProbe: boolean;
}

/** Key of a subscription in the order of claims. */
export type Position = Pick<Claim, 'tenantId' | 'endpointId'>;

/** What became of a claim. */
export interface Finish {
  readonly claim: Claim;
  readonly state: 'delivered' | 'dead' | 'due';
  /** Seconds until the next attempt. */
  readonly delay: number;
  /** Whether the attempt counts for the schedule. */
  readonly counts: boolean;
  readonly status: number | null;
  readonly error: string | null;
  readonly excerpt: string | null;
  readonly ms: number;
}

/** Due deliveries of each subscription with free slots. */
const DUE_OF_ROOM = `SELECT d.tenant_id, d.id FROM room r CROSS JOIN LATERAL (
            SELECT tenant_id, id FROM webhook_deliveries
            WHERE state = 'due' AND tenant_id = r.tenant_id AND endpoint_id = r.endpoint_id AND due_at <= now()
            ORDER BY due_at LIMIT r.free FOR UPDATE SKIP LOCKED) AS d
          WHERE r.free > 0`;

/** Claims due deliveries and records what became of them. */
@Injectable()
export class ClaimsRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /**
   * Claims due deliveries, a few of each subscription. Steps from subscription to subscription by
   * index, so that the backlog of one does not slow down the others. Marks the probe of a failing
   * one.
   * @param after begins with the subscriptions after this one
   */
  async claim({ known, forOthers, total, forTroubled }: Room, after: Position | null): Promise<Claim[]> {
    const claims = await this.database.rows<Claim>(
      prepared(`WITH RECURSIVE stepped AS (
          (SELECT tenant_id, endpoint_id FROM webhook_deliveries WHERE state = 'due' AND (tenant_id, endpoint_id) > ($6, $7)
           ORDER BY tenant_id, endpoint_id LIMIT 1)
          UNION ALL
          SELECT n.tenant_id, n.endpoint_id FROM stepped s CROSS JOIN LATERAL (
            SELECT d.tenant_id, d.endpoint_id FROM webhook_deliveries d
            WHERE d.state = 'due' AND (d.tenant_id, d.endpoint_id) > (s.tenant_id, s.endpoint_id)
            ORDER BY d.tenant_id, d.endpoint_id LIMIT 1) AS n
        ), room AS (
          SELECT s.tenant_id, s.endpoint_id, e.failures > 0 AS troubled,
            CASE e.status WHEN 'failing' THEN least(1, coalesce(k.free, 1)) ELSE coalesce(k.free, $3) END AS free
          FROM stepped s JOIN webhook_endpoints e ON e.tenant_id = s.tenant_id AND e.id = s.endpoint_id
            LEFT JOIN unnest($1::text[], $2::int[]) AS k (endpoint_id, free) ON k.endpoint_id = s.endpoint_id
          WHERE NOT e.paused AND e.review_at IS NULL AND (e.status = 'active' OR (e.status = 'failing' AND e.probe_at <= now()))
        ), picked AS (
          (${DUE_OF_ROOM} AND NOT r.troubled LIMIT $4) UNION ALL (${DUE_OF_ROOM} AND r.troubled LIMIT $5)
        ), claimed AS (
          UPDATE webhook_deliveries d SET state = 'claimed', lease_until = now() + interval '${LEASE_SECONDS} seconds'
          FROM picked p WHERE d.tenant_id = p.tenant_id AND d.id = p.id RETURNING d.*
        ), probed AS (
          UPDATE webhook_endpoints e SET probe_at = now() + interval '1 minute' FROM claimed c
          WHERE e.tenant_id = c.tenant_id AND e.id = c.endpoint_id AND e.status = 'failing'
        )
        SELECT c.tenant_id AS "tenantId", c.id, c.endpoint_id AS "endpointId", c.event_id AS "eventId", c.type, c.sequence::float8 AS sequence,
          c.is_test AS "isTest", c.order_key AS "orderKey", c.attempts, c.lease_until::text AS lease, e.url, e.ordering,
          e.personal_data AS "personalData", e.signing, e.sealed_secret AS "sealedSecret", e.sealed_previous AS "sealedPrevious",
          e.previous_until AS "previousUntil", e.created_by AS "createdBy", e.failures > 0 OR e.status = 'failing' AS "isTroubled",
          e.status = 'failing' AS "isProbe"
        FROM claimed c JOIN webhook_endpoints e ON e.tenant_id = c.tenant_id AND e.id = c.endpoint_id`),
      [
        [...known.keys()],
        [...known.values()],
        forOthers,
        total,
        forTroubled,
        after?.tenantId ?? '',
        after?.endpointId ?? '',
      ],
    );
    return claims;
  }

  /** Returns claims whose replica has not finished them. */
  async returnExpired(): Promise<void> {
    await this.database.rows(
      prepared(
        "UPDATE webhook_deliveries SET state = 'due', due_at = now(), lease_until = NULL WHERE state = 'claimed' AND lease_until < now()",
      ),
    );
  }

  /** Returns a claim that this replica will not finish. */
  async release({ tenantId, id, lease }: Claim): Promise<void> {
    await this.tenants.rows(
      tenantId,
      "UPDATE webhook_deliveries SET state = 'due', lease_until = NULL WHERE tenant_id = $1 AND id = $2 AND state = 'claimed' AND lease_until = $3::timestamptz",
      [id, lease],
    );
  }

  /**
   * Records attempts and the new states.
   * @returns the number of claims that were still held; a lost one changes nothing
   */
  async finish(finishes: readonly Finish[]): Promise<number> {
    const each = <T>(value: (finish: Finish) => T): T[] => finishes.map(value);
    const rows = await this.tenants.rowsOfEach(
      each(({ claim }) => claim.tenantId),
      prepared(`WITH asked AS (
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::int[], $7::int[], $8::text[], $9::text[], $10::int[], $11::text[])
           AS a (tenant_id, id, lease, state, delay, counts, status, error, attempt_id, ms, excerpt)
       ), done AS (
         UPDATE webhook_deliveries d SET state = asked.state, due_at = now() + make_interval(secs => asked.delay), lease_until = NULL,
           attempts = attempts + asked.counts, last_status = asked.status, last_error = asked.error,
           finished_at = CASE WHEN asked.state = 'due' THEN NULL ELSE now() END
         FROM asked WHERE d.tenant_id = asked.tenant_id AND d.id = asked.id AND d.state = 'claimed' AND d.lease_until = asked.lease::timestamptz
         RETURNING d.tenant_id, d.id)
       INSERT INTO webhook_attempts (tenant_id, delivery_id, id, at, status, ms, error, excerpt)
       SELECT tenant_id, id, attempt_id, now() - make_interval(secs => ms / 1000.0), status, ms, error, excerpt
       FROM done JOIN asked USING (tenant_id, id) RETURNING 1`),
      [
        each(({ claim }) => claim.id),
        each(({ claim }) => claim.lease),
        each(({ state }) => state),
        each(({ delay }) => delay),
        each(({ counts }) => (counts ? 1 : 0)),
        each(({ status }) => status),
        each(({ error }) => error),
        each(() => newId()),
        each(({ ms }) => Math.round(ms)),
        each(({ excerpt }) => excerpt),
      ],
    );
    return rows.length;
  }
}
