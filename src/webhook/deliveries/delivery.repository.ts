import { Injectable } from '@nestjs/common';
import { newId, type TenantId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  TenantDatabase,
} from '../../platform/database/index.js';
import type { Endpoint } from '../endpoints/endpoint.repository.js';
import { LEASE_SECONDS } from '../engine/claims.repository.js';
import { AttemptEntity, DeliveryEntity } from './delivery.entity.js';

export type Delivery = DeliveryEntity;
export type Attempt = AttemptEntity;

/** An event to deliver. */
export interface Deliverable {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly subject: string;
}

interface NewDelivery<E extends Deliverable, R extends Endpoint> {
  readonly event: E;
  readonly endpoint: R;
}

/** A delivery to add. */
export interface PlannedDelivery<
  E extends Deliverable = Deliverable,
  R extends Endpoint = Endpoint,
> extends NewDelivery<E, R> {
  readonly orderKey: string | null;
  /** `claimed` if this replica sends it as soon as it is added. */
  readonly state: 'waiting' | 'due' | 'claimed';
}

/** A claimed delivery that was added, or revived. */
export interface ClaimedDelivery extends Pick<
  Delivery,
  'id' | 'endpointId' | 'eventId' | 'orderKey' | 'attempts'
> {
  /** End of its lease. */
  readonly lease: string;
}

const COLUMNS = columnsOf(DeliveryEntity);
/** Those of a deleted subscription wait for the cleanup. */
const OF_EXISTING = `EXISTS (SELECT 1 FROM webhook_endpoints e
  WHERE e.tenant_id = webhook_deliveries.tenant_id AND e.id = webhook_deliveries.endpoint_id AND e.status <> 'deleted')`;

const OPEN = "state IN ('waiting', 'due', 'claimed')";

@Injectable()
export class DeliveryRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(
    ids: readonly string[],
    context: RowContext,
  ): Promise<ReadonlyMap<string, { readonly id: string }>> {
    const sql = `SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND id = ANY($2) AND ${OF_EXISTING}`;
    return this.tenants.loadByIds(sql, ids, context);
  }

  /**
   * Decides which of new deliveries wait for earlier ones, in order of `sequence`. Subscriptions
   * with an order must be locked, and each delivery must be added: later ones may wait for it.
   */
  async plan<E extends Deliverable, R extends Endpoint>(
    deliveries: readonly NewDelivery<E, R>[],
  ): Promise<PlannedDelivery<E, R>[]> {
    const keyed = deliveries.map((delivery) => ({ ...delivery, orderKey: orderKeyOf(delivery) }));
    const busy = await this.findBusyKeys(keyed);
    return keyed.map((delivery) => {
      if (delivery.orderKey === null) return { ...delivery, state: 'due' };
      const key = `${delivery.endpoint.id} ${delivery.orderKey}`;
      const state = busy.has(key) ? 'waiting' : 'due';
      busy.add(key);
      return { ...delivery, state };
    });
  }

  /**
   * Adds planned deliveries. One of an event that was given up is tried again.
   * @returns those of the claimed ones that were added or revived
   */
  async insert(planned: readonly PlannedDelivery[]): Promise<ClaimedDelivery[]> {
    if (planned.length === 0) return [];
    return this.database.rows<ClaimedDelivery>(
      prepared(`WITH added AS (INSERT INTO webhook_deliveries AS d (tenant_id, id, endpoint_id, event_id, type, sequence, order_key, state, lease_until)
       SELECT *, CASE n.state WHEN 'claimed' THEN clock_timestamp() + interval '${LEASE_SECONDS} seconds' END
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[])
         AS n (tenant_id, id, endpoint_id, event_id, type, sequence, order_key, state)
       ON CONFLICT (tenant_id, endpoint_id, event_id) DO UPDATE SET state = excluded.state, lease_until = excluded.lease_until,
         order_key = excluded.order_key, attempts = 0, due_at = now(), finished_at = NULL
       WHERE d.state = 'dead'
       RETURNING d.id, d.endpoint_id, d.event_id, d.order_key, d.attempts, d.lease_until)
       SELECT id, endpoint_id AS "endpointId", event_id AS "eventId", order_key AS "orderKey", attempts, lease_until::text AS lease
       FROM added WHERE lease_until IS NOT NULL`),
      [
        planned.map(({ endpoint }) => endpoint.tenantId),
        planned.map(() => newId()),
        planned.map(({ endpoint }) => endpoint.id),
        planned.map(({ event }) => event.id),
        planned.map(({ event }) => event.type),
        planned.map(({ event }) => event.sequence),
        planned.map(({ orderKey }) => orderKey),
        planned.map(({ state }) => state),
      ],
    );
  }

  /** Finds which of these events have a delivery that is open or was accepted. @returns ids */
  async findKept(tenantId: TenantId, endpointId: string, eventIds: readonly string[]): Promise<Set<string>> {
    const found = await this.tenants.values<string>(
      tenantId,
      `SELECT event_id AS id FROM webhook_deliveries
       WHERE tenant_id = $1 AND endpoint_id = $2 AND event_id = ANY($3) AND state <> 'dead'`,
      [endpointId, eventIds],
    );
    return new Set(found);
  }

  /** Adds a test, which is no event. @returns its id */
  async addTest(tenantId: TenantId, endpointId: string, type: string): Promise<string> {
    const id = newId();
    await this.tenants.of(DeliveryEntity).insert(tenantId, {
      id,
      endpointId,
      eventId: newId(),
      type,
      sequence: '0',
      isTest: true,
      state: 'due',
    });
    return id;
  }

  find(tenantId: TenantId, id: string): Promise<Delivery | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM webhook_deliveries WHERE tenant_id = $1 AND id = $2`,
      [id],
    );
  }

  /** Returns a page, newest first, and one row more if there is a next page. */
  list(
    tenantId: TenantId,
    endpointId: string,
    { limit, after }: Page,
    state: string | null,
  ): Promise<Delivery[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM webhook_deliveries WHERE tenant_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR id < $3)
         AND ($5::text IS NULL OR state = $5) ORDER BY id DESC LIMIT $4`,
      [endpointId, after, limit + 1, state],
    );
  }

  /** Returns the attempts of a delivery, oldest first. */
  listAttempts(tenantId: TenantId, deliveryId: string): Promise<Attempt[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${columnsOf(AttemptEntity)} FROM webhook_attempts WHERE tenant_id = $1 AND delivery_id = $2 ORDER BY id LIMIT 100`,
      [deliveryId],
    );
  }

  /** Makes a finished delivery due again. @returns false if it is open */
  redeliver(tenantId: TenantId, id: string): Promise<boolean> {
    return this.tenants.hasRow(
      tenantId,
      `UPDATE webhook_deliveries SET state = 'due', attempts = 0, due_at = now(), finished_at = NULL, order_key = NULL
       WHERE tenant_id = $1 AND id = $2 AND state IN ('delivered', 'dead') RETURNING id`,
      [id],
    );
  }

  /** Lets the next delivery of a key follow. The subscription must be locked. */
  async promote(tenantId: TenantId, endpointId: string, orderKey: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE webhook_deliveries SET state = 'due', due_at = now()
       WHERE tenant_id = $1 AND id = (
         SELECT id FROM webhook_deliveries WHERE tenant_id = $1 AND endpoint_id = $2 AND order_key = $3 AND ${OPEN} ORDER BY sequence LIMIT 1)
         AND state = 'waiting'`,
      [endpointId, orderKey],
    );
  }

  /**
   * Lets the first waiting delivery of each key follow whose earlier ones have expired, as they do
   * while nothing is delivered for 30 days. The subscriptions must be locked.
   * @param endpointId only of this subscription; null for all of the tenant
   */
  async promoteFirst(tenantId: TenantId, endpointId: string | null): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE webhook_deliveries SET state = 'due', due_at = now()
       WHERE tenant_id = $1 AND ($2::text IS NULL OR endpoint_id = $2) AND state = 'waiting' AND NOT EXISTS (
         SELECT 1 FROM webhook_deliveries d WHERE d.tenant_id = $1 AND d.endpoint_id = webhook_deliveries.endpoint_id
           AND d.order_key = webhook_deliveries.order_key AND d.sequence < webhook_deliveries.sequence AND d.${OPEN})`,
      [endpointId],
    );
  }

  /** Finds the keys with an open delivery, as `<endpoint> <key>`. */
  private async findBusyKeys(
    deliveries: readonly { readonly endpoint: Endpoint; readonly orderKey: string | null }[],
  ): Promise<Set<string>> {
    const ordered = deliveries.filter(({ orderKey }) => orderKey !== null);
    if (ordered.length === 0) return new Set();
    const found = await this.database.values<string>(
      `SELECT DISTINCT d.endpoint_id || ' ' || d.order_key AS key
       FROM unnest($1::text[], $2::text[], $3::text[]) AS k (tenant_id, endpoint_id, order_key)
         JOIN webhook_deliveries d ON d.tenant_id = k.tenant_id AND d.endpoint_id = k.endpoint_id AND d.order_key = k.order_key
       WHERE d.order_key IS NOT NULL AND d.${OPEN}`,
      [
        ordered.map(({ endpoint }) => endpoint.tenantId),
        ordered.map(({ endpoint }) => endpoint.id),
        ordered.map(({ orderKey }) => orderKey),
      ],
    );
    return new Set(found);
  }
}

function orderKeyOf({
  endpoint: { ordering },
  event: { subject },
}: NewDelivery<Deliverable, Endpoint>): string | null {
  if (ordering === 'none') return null;
  return ordering === 'subject' ? subject : '*';
}
