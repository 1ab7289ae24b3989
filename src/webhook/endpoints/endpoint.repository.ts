import { Injectable } from '@nestjs/common';
import { NamedInTrail, type NamedThing } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Cleanup } from '../../platform/cleanup/index.js';
import {
  columnsOf,
  Database,
  prepared,
  type RowContext,
  TenantDatabase,
} from '../../platform/database/index.js';
import { type DisabledReason, EndpointEntity } from './endpoint.entity.js';

export type Endpoint = EndpointEntity;

/** A subscription that gets deliveries. */
export interface ReceivingEndpoint extends Endpoint {
  /** Whether earlier deliveries wait for a claim. */
  readonly hasDue: boolean;
}

/** What a caller can change. */
export type EndpointChanges = Partial<
  Pick<
    Endpoint,
    'url' | 'description' | 'types' | 'subjectPrefix' | 'ordering' | 'personalData' | 'signing' | 'createdBy'
  >
>;

/** Days after which a failing subscription is disabled. */
const FAILING_DAYS = 5;
/** Failures in a row after which a subscription is failing. */
const MAX_FAILURES = 20;
/** Rows of one statement of the cleanup. */
const CLEANUP_BATCH = 100;

const COLUMNS = columnsOf(EndpointEntity);
const EXISTS = "status <> 'deleted'";

@Injectable()
export class EndpointRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Loads rows as {@link TenantDatabase.loadByIds} does, for a decision. */
  loadByIds(
    ids: readonly string[],
    context: RowContext,
  ): Promise<ReadonlyMap<string, Pick<Endpoint, 'id' | 'types'>>> {
    const sql =
      "SELECT id, types FROM webhook_endpoints WHERE tenant_id = $1 AND id = ANY($2) AND status <> 'deleted'";
    return this.tenants.loadByIds(sql, ids, context);
  }

  /** Returns a page in order of id, and one row more if there is a next page. */
  list(tenantId: TenantId, { limit, after }: Page): Promise<Endpoint[]> {
    return this.tenants.rows(
      tenantId,
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE tenant_id = $1 AND id > $2 AND ${EXISTS} ORDER BY id LIMIT $3`,
      [after ?? '', limit + 1],
    );
  }

  find(tenantId: TenantId, id: string): Promise<Endpoint | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE tenant_id = $1 AND id = $2 AND ${EXISTS}`,
      [id],
    );
  }

  /** Locks a subscription until the transaction ends. */
  findForUpdate(tenantId: TenantId, id: string): Promise<Endpoint | null> {
    return this.tenants.row(
      tenantId,
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE tenant_id = $1 AND id = $2 AND ${EXISTS} FOR NO KEY UPDATE`,
      [id],
    );
  }

  /** Finds the subscriptions of tenants that get deliveries. */
  listReceiving(tenantIds: readonly TenantId[]): Promise<ReceivingEndpoint[]> {
    return this.database.rows(
      prepared(
        `SELECT ${COLUMNS}, (SELECT true FROM webhook_deliveries d
           WHERE d.state = 'due' AND d.tenant_id = webhook_endpoints.tenant_id AND d.endpoint_id = webhook_endpoints.id AND d.due_at <= now()
           LIMIT 1) IS TRUE AS "hasDue"
         FROM webhook_endpoints WHERE tenant_id = ANY($1) AND status IN ('active', 'failing') ORDER BY tenant_id, id`,
      ),
      [tenantIds],
    );
  }

  /** Counts the subscriptions, and waits for transactions that add one. */
  async countForUpdate(tenantId: TenantId): Promise<number> {
    await this.database.lockNameForUpdate(`webhooks ${tenantId}`);
    const sql = `SELECT count(*)::int FROM webhook_endpoints WHERE tenant_id = $1 AND ${EXISTS}`;
    return (await this.tenants.value<number>(tenantId, sql)) ?? 0;
  }

  async insert(
    tenantId: TenantId,
    endpoint: Required<EndpointChanges> & Pick<Endpoint, 'id' | 'status' | 'reason' | 'sealedSecret'>,
  ): Promise<void> {
    await this.tenants.of(EndpointEntity).insert(tenantId, endpoint);
  }

  async update(tenantId: TenantId, id: string, changes: EndpointChanges): Promise<void> {
    if (Object.keys(changes).length > 0)
      await this.tenants.of(EndpointEntity).update(tenantId, { id }, changes);
  }

  /** Keeps the replaced secret for a day. @returns the time until which it signs */
  async replaceSecret(tenantId: TenantId, id: string, sealedSecret: string): Promise<Date> {
    const row = await this.tenants.row<{ until: Date }>(
      tenantId,
      `UPDATE webhook_endpoints SET sealed_previous = sealed_secret, previous_until = now() + interval '1 day', sealed_secret = $3
       WHERE tenant_id = $1 AND id = $2 RETURNING previous_until AS until`,
      [id, sealedSecret],
    );
    if (!row) throw new Error('The subscription has no secret.');
    return row.until;
  }

  /** Removes a batch of secrets that sign no more. @returns whether there may be more */
  @Cleanup()
  async removeReplacedSecrets(): Promise<boolean> {
    const rows = await this.database.rows(
      `UPDATE webhook_endpoints SET sealed_previous = NULL, previous_until = NULL
       WHERE (tenant_id, id) IN (
         SELECT tenant_id, id FROM webhook_endpoints WHERE previous_until < now() LIMIT ${CLEANUP_BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING 1`,
    );
    return rows.length === CLEANUP_BATCH;
  }

  /** @returns its creator; null if it was disabled before */
  disable(
    tenantId: TenantId,
    id: string,
    reason: DisabledReason,
  ): Promise<Pick<Endpoint, 'createdBy'> | null> {
    return this.tenants.row(
      tenantId,
      `UPDATE webhook_endpoints SET status = 'disabled', reason = $3, recover_after = NULL
       WHERE tenant_id = $1 AND id = $2 AND status IN ('active', 'failing') RETURNING created_by AS "createdBy"`,
      [id, reason],
    );
  }

  /**
   * Enables a subscription, which begins with one probe. It has been failing only since that fails.
   * @returns whether it was disabled
   */
  enable(tenantId: TenantId, id: string): Promise<boolean> {
    return this.tenants.hasRow(
      tenantId,
      `UPDATE webhook_endpoints SET status = 'failing', reason = NULL, failing_since = NULL, probe_at = now()
       WHERE tenant_id = $1 AND id = $2 AND status = 'disabled' RETURNING id`,
      [id],
    );
  }

  /** The cleanup removes it after its deliveries. @returns false if it was deleted before */
  markDeleted(tenantId: TenantId, id: string): Promise<boolean> {
    return this.tenants.hasRow(
      tenantId,
      `UPDATE webhook_endpoints SET status = 'deleted', url = '', description = NULL, sealed_secret = '', sealed_previous = NULL, recover_after = NULL, review_at = NULL
       WHERE tenant_id = $1 AND id = $2 AND ${EXISTS} RETURNING id`,
      [id],
    );
  }

  async setPaused(tenantIds: readonly TenantId[], paused: boolean): Promise<void> {
    await this.database.rows(
      'UPDATE webhook_endpoints SET paused = $2 WHERE tenant_id = ANY($1) AND paused <> $2',
      [tenantIds, paused],
    );
  }

  /**
   * Delivers nothing to subscriptions until they are reviewed.
   * @param createdBy only those of this person
   * @returns whether there are any
   */
  markForReview(tenantIds: readonly TenantId[], createdBy: UserId | null = null): Promise<boolean> {
    return this.database.hasRow(
      `UPDATE webhook_endpoints SET review_at = clock_timestamp()
       WHERE tenant_id = ANY($1) AND ($2::text IS NULL OR created_by = $2) AND status IN ('active', 'failing') RETURNING 1`,
      [tenantIds, createdBy],
    );
  }

  /** Finds a subscription that waits for a review. */
  findToReview(): Promise<(Endpoint & { readonly review: string }) | null> {
    return this.database.row(
      prepared(
        `SELECT ${COLUMNS}, review_at::text AS review FROM webhook_endpoints WHERE review_at IS NOT NULL ORDER BY review_at LIMIT 1`,
      ),
    );
  }

  /** Ends a review, unless another one has begun. @param review time of its beginning */
  async endReview(tenantId: TenantId, id: string, review: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      'UPDATE webhook_endpoints SET review_at = NULL WHERE tenant_id = $1 AND id = $2 AND review_at = $3::timestamptz',
      [id, review],
    );
  }

  /** Notes a success after failures: the subscription is active again. */
  async noteSuccess(tenantId: TenantId, id: string): Promise<void> {
    await this.tenants.rows(
      tenantId,
      prepared(`UPDATE webhook_endpoints SET status = 'active', failures = 0, failing_since = NULL, probe_at = NULL
       WHERE tenant_id = $1 AND id = $2 AND status IN ('active', 'failing')`),
      [id],
    );
  }

  /**
   * Counts failures. After {@link MAX_FAILURES} in a row a subscription is failing. Locks in order
   * of tenant and id, to avoid deadlocks with other replicas.
   * @returns for each, whether it has been failing for too long
   */
  async noteFailures(
    failed: readonly { readonly tenantId: TenantId; readonly endpointId: string }[],
  ): Promise<boolean[]> {
    const rows = await this.tenants.rowsOfEach<{ tenantId: TenantId; id: string }>(
      failed.map(({ tenantId }) => tenantId),
      prepared(`WITH asked AS (
         SELECT tenant_id, id, count(*)::int AS times FROM unnest($1::text[], $2::text[]) AS a (tenant_id, id) GROUP BY tenant_id, id
       ), locked AS (
         SELECT e.tenant_id, e.id, asked.times FROM asked JOIN webhook_endpoints e ON e.tenant_id = asked.tenant_id AND e.id = asked.id
         WHERE e.status IN ('active', 'failing') ORDER BY e.tenant_id, e.id FOR NO KEY UPDATE OF e
       ), noted AS (
         UPDATE webhook_endpoints e SET failures = e.failures + locked.times,
           status = CASE WHEN e.failures + locked.times >= ${MAX_FAILURES} THEN 'failing' ELSE e.status END,
           failing_since = CASE WHEN e.failures + locked.times >= ${MAX_FAILURES} OR e.status = 'failing' THEN coalesce(e.failing_since, now()) END,
           probe_at = CASE WHEN e.failures + locked.times >= ${MAX_FAILURES} OR e.status = 'failing' THEN now() + interval '1 minute' END
         FROM locked WHERE e.tenant_id = locked.tenant_id AND e.id = locked.id AND e.status IN ('active', 'failing')
         RETURNING e.tenant_id, e.id, e.status = 'failing' AND e.failing_since < now() - interval '${FAILING_DAYS} days' AS over)
       SELECT tenant_id AS "tenantId", id FROM noted WHERE over`),
      [failed.map(({ endpointId }) => endpointId)],
    );
    const over = new Set(rows.map(({ tenantId, id }) => `${tenantId} ${id}`));
    return failed.map(({ tenantId, endpointId }) => over.has(`${tenantId} ${endpointId}`));
  }

  /** Starts a replay of the events since a time, between two sequence numbers. */
  async startRecovery(
    tenantId: TenantId,
    id: string,
    { since, after, until }: { readonly since: Date; readonly after: number; readonly until: number },
  ): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `UPDATE webhook_endpoints SET recover_after = $3, recover_until = $4, recover_from = $5, recover_at = now()
       WHERE tenant_id = $1 AND id = $2`,
      [id, after, until, since],
    );
  }

  async setRecovery(tenantId: TenantId, id: string, after: number | null): Promise<void> {
    await this.tenants.rows(
      tenantId,
      "UPDATE webhook_endpoints SET recover_after = $3, recover_at = now() + interval '1 second' WHERE tenant_id = $1 AND id = $2",
      [id, after],
    );
  }

  /** @returns whether there was a replay */
  cancelRecovery(tenantId: TenantId, id: string): Promise<boolean> {
    return this.tenants.hasRow(
      tenantId,
      'UPDATE webhook_endpoints SET recover_after = NULL WHERE tenant_id = $1 AND id = $2 AND recover_after IS NOT NULL RETURNING id',
      [id],
    );
  }

  /** Locks a subscription whose replay is due for a step. */
  findRecoveringForUpdate(): Promise<Endpoint | null> {
    return this.database.row(
      `SELECT ${COLUMNS} FROM webhook_endpoints WHERE recover_after IS NOT NULL AND recover_at <= now() AND NOT paused AND status IN ('active', 'failing')
       ORDER BY recover_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    );
  }

  /** Returns the names of those that exist. */
  @NamedInTrail({ collection: 'webhooks/subscriptions', scope: 'webhooks:subscription:read' })
  findNamed(tenantIds: readonly TenantId[], ids: readonly string[]): Promise<NamedThing[]> {
    const name = 'coalesce(a.description, a.url)';
    return this.tenants.listNames('webhook_endpoints', tenantIds, ids, name, EXISTS);
  }
}
