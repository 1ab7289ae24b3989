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
const DUE_OF_ROOM = `SELECT d.place FROM room r CROSS JOIN LATERAL (
            SELECT ctid AS place FROM webhook_deliveries
            WHERE state = 'due' AND tenant_id = r.tenant_id AND endpoint_id = r.endpoint_id AND due_at <= now()
            ORDER BY due_at LIMIT r.free FOR UPDATE SKIP LOCKED) AS d
          WHERE r.free > 0`;

/**
 * Claims due deliveries of the subscriptions of `stepped`, and marks the probes of failing ones.
 * Updates the locked rows by their places, so that no plan can join them by a scan of the table.
 * One that has changed since the statement began is left for the next claim.
 */
const claimOfStepped = (stepped: string): string =>
  prepared(`${stepped}), room AS (
    SELECT s.tenant_id, s.endpoint_id, e.failures > 0 AS troubled,
      CASE e.status WHEN 'failing' THEN least(1, coalesce(k.free, 1)) ELSE coalesce(k.free, $3) END AS free
    FROM stepped s JOIN webhook_endpoints e ON e.tenant_id = s.tenant_id AND e.id = s.endpoint_id
      LEFT JOIN unnest($1::text[], $2::int[]) AS k (endpoint_id, free) ON k.endpoint_id = s.endpoint_id
    WHERE NOT e.paused AND e.review_at IS NULL AND (e.status = 'active' OR (e.status = 'failing' AND e.probe_at <= now()))
  ), picked AS (
    (${DUE_OF_ROOM} AND NOT r.troubled LIMIT $4) UNION ALL (${DUE_OF_ROOM} AND r.troubled LIMIT $5)
  ), claimed AS (
    UPDATE webhook_deliveries d SET state = 'claimed', lease_until = now() + interval '${LEASE_SECONDS} seconds'
    WHERE d.ctid = ANY(ARRAY(SELECT place FROM picked)) RETURNING d.*
  ), probed AS (
    UPDATE webhook_endpoints e SET probe_at = now() + interval '1 minute' FROM claimed c
    WHERE e.tenant_id = c.tenant_id AND e.id = c.endpoint_id AND e.status = 'failing'
  )
  SELECT c.tenant_id AS "tenantId", c.id, c.endpoint_id AS "endpointId", c.event_id AS "eventId", c.type, c.sequence::float8 AS sequence,
    c.is_test AS "isTest", c.order_key AS "orderKey", c.attempts, c.lease_until::text AS lease, e.url, e.ordering,
    e.personal_data AS "personalData", e.signing, e.sealed_secret AS "sealedSecret", e.sealed_previous AS "sealedPrevious",
    e.previous_until AS "previousUntil", e.created_by AS "createdBy", e.failures > 0 OR e.status = 'failing' AS "isTroubled",
    e.status = 'failing' AS "isProbe"
  FROM claimed c JOIN webhook_endpoints e ON e.tenant_id = c.tenant_id AND e.id = c.endpoint_id`);

const CLAIM_ANY = claimOfStepped(`WITH RECURSIVE stepped AS (
    (SELECT tenant_id, endpoint_id FROM webhook_deliveries WHERE state = 'due' AND (tenant_id, endpoint_id) > ($6, $7)
     ORDER BY tenant_id, endpoint_id LIMIT 1)
    UNION ALL
    SELECT n.tenant_id, n.endpoint_id FROM stepped s CROSS JOIN LATERAL (
      SELECT d.tenant_id, d.endpoint_id FROM webhook_deliveries d
      WHERE d.state = 'due' AND (d.tenant_id, d.endpoint_id) > (s.tenant_id, s.endpoint_id)
      ORDER BY d.tenant_id, d.endpoint_id LIMIT 1) AS n
`);
const CLAIM_OF = claimOfStepped(`WITH stepped AS (
    SELECT * FROM unnest($6::text[], $7::text[]) AS t (tenant_id, endpoint_id)
`);

/** Claims due deliveries and records what became of them. */
@Injectable()
export class ClaimsRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /**
   * Claims due deliveries of any subscriptions, a few of each. Steps from subscription to
   * subscription by index, so that the backlog of one does not slow down the others.
   * @param after begins with the subscriptions after this one
   */
  claim(room: Room, after: Position | null): Promise<Claim[]> {
    const { tenantId = '', endpointId = '' } = after ?? {};
    return this.run(CLAIM_ANY, room, [...room.known], [tenantId, endpointId]);
  }

  /** Claims due deliveries of these subscriptions, as {@link claim} does. */
  claimOf(room: Room, targets: readonly Position[]): Promise<Claim[]> {
    const known = targets.flatMap(({ endpointId }): [string, number][] => {
      const free = room.known.get(endpointId);
      return free === undefined ? [] : [[endpointId, free]];
    });
    const of = [targets.map(({ tenantId }) => tenantId), targets.map(({ endpointId }) => endpointId)];
    return this.run(CLAIM_OF, room, known, of);
  }

  private run(
    sql: string,
    { forOthers, total, forTroubled }: Room,
    known: readonly (readonly [endpointId: string, free: number])[],
    which: readonly unknown[],
  ): Promise<Claim[]> {
    const [ids, free] = [known.map(([id]) => id), known.map(([, count]) => count)];
    return this.database.rows<Claim>(sql, [ids, free, forOthers, total, forTroubled, ...which]);
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
         RETURNING asked.*)
       INSERT INTO webhook_attempts (tenant_id, delivery_id, id, at, status, ms, error, excerpt)
       SELECT tenant_id, id, attempt_id, now() - make_interval(secs => ms / 1000.0), status, ms, error, excerpt
       FROM done RETURNING 1`),
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
