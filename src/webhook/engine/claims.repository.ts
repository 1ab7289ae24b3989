import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/index.js';
import { Database, prepared, TenantDatabase } from '../../platform/database/index.js';
import { type Bounds, type Receiver, type Target, UNSYNCED } from '../../platform/delivery/index.js';
import type { DeliveryEntity as Delivery } from '../deliveries/delivery.entity.js';
import type { Endpoint } from '../endpoints/endpoint.repository.js';

/** Lease of a claim: longer than the longest request. */
export const LEASE_SECONDS = 60;

/** A claimed delivery, with what its request needs of the subscription. */
export interface Claim
  extends
    Pick<
      Delivery,
      'tenantId' | 'id' | 'endpointId' | 'eventId' | 'type' | 'isTest' | 'orderKey' | 'attempts'
    >,
    Pick<
      Endpoint,
      | 'url'
      | 'ordering'
      | 'personalData'
      | 'signing'
      | 'sealedSecret'
      | 'sealedPrevious'
      | 'previousUntil'
      | 'createdBy'
    > {
  /** Id of the subscription, as the engine's key. */
  readonly key: string;
  readonly sequence: number;
  /** End of the lease, which identifies the claim. */
  readonly lease: string;
  /** Whether the subscription is failing or failed last. */
  readonly isFailing: boolean;
  /** Whether a later delivery of the same order waits for it. */
  readonly mayBeFollowed: boolean;
  readonly isProbe: boolean;
}

/** Key of a subscription in the order of claims. */
export type Position = Pick<Claim, 'tenantId' | 'endpointId'>;

/** A subscription as a receiver of the engine; its id is the key. */
export type Subscriber = Position & Receiver;

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

/** Whether a subscription takes deliveries now: a failing one a probe a minute. */
const TAKES_DELIVERIES =
  "NOT e.paused AND e.review_at IS NULL AND (e.status = 'active' OR (e.status = 'failing' AND e.probe_at <= now()))";

/** Whether a subscription is failing or failed last. */
const IS_FAILING = "(e.failures > 0 OR e.status = 'failing')";

/** Due deliveries of each subscription with free slots. */
const DUE_OF_ROOM = `SELECT d.place, r.tenant_id, r.endpoint_id, r.is_probe FROM room r CROSS JOIN LATERAL (
            SELECT ctid AS place FROM webhook_deliveries
            WHERE state = 'due' AND tenant_id = r.tenant_id AND endpoint_id = r.endpoint_id AND due_at <= now()
            ORDER BY due_at LIMIT r.free FOR UPDATE SKIP LOCKED) AS d`;

/**
 * Claims due deliveries of subscriptions, and marks the probes of failing ones. Updates the locked
 * rows by their places, so that no plan can join them by a scan of the table. One that has changed
 * since the statement began is left for the next claim. Waits for no lock, so that it is part of no
 * deadlock: a failing subscription that another replica has locked gets its probe later.
 */
const CLAIM = prepared(`WITH room AS (
    SELECT e.tenant_id, e.id AS endpoint_id, e.failures > 0 AS has_failed, e.status = 'failing' AS is_probe,
      CASE e.status WHEN 'failing' THEN 1 ELSE asked.free END AS free
    FROM ${UNSYNCED}, unnest($1::text[], $2::text[], $3::int[]) AS asked (tenant_id, endpoint_id, free)
      JOIN webhook_endpoints e ON e.tenant_id = asked.tenant_id AND e.id = asked.endpoint_id
    WHERE ${TAKES_DELIVERIES}
  ), picked AS (
    (${DUE_OF_ROOM} WHERE NOT r.has_failed LIMIT $4) UNION ALL (${DUE_OF_ROOM} WHERE r.has_failed LIMIT $5)
  ), probes AS MATERIALIZED (
    SELECT e.tenant_id, e.id FROM picked p JOIN webhook_endpoints e ON e.tenant_id = p.tenant_id AND e.id = p.endpoint_id
    WHERE p.is_probe AND e.status = 'failing' AND e.probe_at <= now() FOR NO KEY UPDATE OF e SKIP LOCKED
  ), claimed AS (
    UPDATE webhook_deliveries d SET state = 'claimed', lease_until = now() + interval '${LEASE_SECONDS} seconds'
    WHERE d.ctid = ANY(ARRAY(SELECT p.place FROM picked p WHERE NOT p.is_probe
      OR EXISTS (SELECT 1 FROM probes WHERE probes.tenant_id = p.tenant_id AND probes.id = p.endpoint_id))) RETURNING d.*
  ), probed AS (
    UPDATE webhook_endpoints e SET probe_at = now() + interval '1 minute' FROM claimed c
    WHERE e.tenant_id = c.tenant_id AND e.id = c.endpoint_id AND e.status = 'failing'
  )
  SELECT c.tenant_id AS "tenantId", c.id, c.endpoint_id AS "endpointId", c.endpoint_id AS key, c.event_id AS "eventId", c.type, c.sequence::float8 AS sequence,
    c.is_test AS "isTest", c.order_key AS "orderKey", c.attempts, c.lease_until::text AS lease, e.url, e.ordering,
    e.personal_data AS "personalData", e.signing, e.sealed_secret AS "sealedSecret", e.sealed_previous AS "sealedPrevious",
    e.previous_until AS "previousUntil", e.created_by AS "createdBy", ${IS_FAILING} AS "isFailing",
    c.order_key IS NOT NULL AS "mayBeFollowed", e.status = 'failing' AS "isProbe"
  FROM claimed c JOIN webhook_endpoints e ON e.tenant_id = c.tenant_id AND e.id = c.endpoint_id`);

/** Steps from subscription to subscription by index, so that no backlog slows it down. */
const STEP = prepared(`WITH RECURSIVE stepped AS (
    (SELECT tenant_id, endpoint_id, due_at, 1 AS n FROM webhook_deliveries
     WHERE state = 'due' AND (tenant_id, endpoint_id) > ($1, $2) ORDER BY tenant_id, endpoint_id, due_at LIMIT 1)
    UNION ALL
    SELECT d.tenant_id, d.endpoint_id, d.due_at, s.n + 1 FROM stepped s CROSS JOIN LATERAL (
      SELECT tenant_id, endpoint_id, due_at FROM webhook_deliveries
      WHERE state = 'due' AND (tenant_id, endpoint_id) > (s.tenant_id, s.endpoint_id)
      ORDER BY tenant_id, endpoint_id, due_at LIMIT 1) AS d WHERE s.n < $3
  )
  SELECT s.tenant_id AS "tenantId", s.endpoint_id AS "endpointId", s.endpoint_id AS key,
    s.due_at <= now() AND coalesce(${TAKES_DELIVERIES}, false) AS "isDue", coalesce(${IS_FAILING}, false) AS "isFailing"
  FROM stepped s LEFT JOIN webhook_endpoints e ON e.tenant_id = s.tenant_id AND e.id = s.endpoint_id ORDER BY s.n`);

/**
 * Records what became of claims. Finds each row by its primary key, and updates it by its place: a
 * join reads all claimed rows by the index of leases, with the dead ones since the last vacuum. No
 * index fits IS NOT DISTINCT FROM. A row that has changed is no longer held.
 */
const FINISH = prepared(`WITH asked AS (
    SELECT a.* FROM ${UNSYNCED},
      unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::int[], $7::int[], $8::text[], $9::text[], $10::int[], $11::text[]) AS a (tenant_id, id, lease, state, delay, counts, status, error, attempt_id, ms, excerpt)
  ), held AS MATERIALIZED (
    SELECT d.place, asked.* FROM asked CROSS JOIN LATERAL (
      SELECT ctid AS place FROM webhook_deliveries WHERE tenant_id = asked.tenant_id AND id = asked.id
        AND state IS NOT DISTINCT FROM 'claimed' AND lease_until IS NOT DISTINCT FROM asked.lease::timestamptz LIMIT 1) AS d
  ), done AS (
    UPDATE webhook_deliveries d SET state = asked.state, due_at = now() + make_interval(secs => asked.delay), lease_until = NULL,
      attempts = attempts + asked.counts, last_status = asked.status, last_error = asked.error,
      finished_at = CASE WHEN asked.state = 'due' THEN NULL ELSE now() END
    FROM held AS asked WHERE d.ctid = ANY(ARRAY(SELECT place FROM held)) AND d.ctid = asked.place RETURNING asked.*)
  INSERT INTO webhook_attempts (tenant_id, delivery_id, id, at, status, ms, error, excerpt)
  SELECT tenant_id, id, attempt_id, now() - make_interval(secs => ms / 1000.0), status, ms, error, excerpt
  FROM done RETURNING 1`);

/** Claims due deliveries and records what became of them. */
@Injectable()
export class ClaimsRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Claims due deliveries of subscriptions. */
  claim(targets: readonly Target<Subscriber>[], { total, forFailing }: Bounds): Promise<Claim[]> {
    return this.database.rows<Claim>(CLAIM, [
      targets.map(({ tenantId }) => tenantId),
      targets.map(({ endpointId }) => endpointId),
      targets.map(({ free }) => free),
      total,
      forFailing,
    ]);
  }

  /**
   * Lists subscriptions with waiting deliveries, in the order of tenant and id.
   * @param after begins with the subscriptions after this one
   * @returns for each, whether a claim can have one now
   */
  listWaiting(after: Position | null, limit: number): Promise<(Subscriber & { readonly isDue: boolean })[]> {
    return this.database.rows(STEP, [after?.tenantId ?? '', after?.endpointId ?? '', limit]);
  }

  /** Returns claims whose replica has not finished them. */
  async returnExpired(): Promise<void> {
    await this.database.rows(
      prepared(
        "UPDATE webhook_deliveries SET state = 'due', due_at = now(), lease_until = NULL WHERE state = 'claimed' AND lease_until < now()",
      ),
    );
  }

  /**
   * Returns a claim that this replica will not finish.
   * @param delay seconds until it can be claimed
   */
  async release({ tenantId, id, lease }: Claim, delay = 0): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE webhook_deliveries SET state = 'due', lease_until = NULL,
         due_at = CASE WHEN $4::float8 = 0 THEN due_at ELSE now() + make_interval(secs => $4) END
       WHERE tenant_id = $1 AND id = $2 AND state = 'claimed' AND lease_until = $3::timestamptz`,
      [id, lease, delay],
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
      FINISH,
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
