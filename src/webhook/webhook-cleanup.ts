import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { RemovesExpired } from '../platform/cleanup/index.js';
import { Database, TenantDatabase } from '../platform/database/index.js';
import { JobHandler, JobQueue } from '../platform/jobs/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';

/** Tables with rows of tenants, in the order in which they can be removed, with their keys. */
const TABLES = [
  ['webhook_attempts', 'delivery_id, id'],
  ['webhook_deliveries', 'id'],
  ['webhook_endpoints', 'id'],
  ['event_entries', 'sequence, created_at'],
  ['event_streams', 'tenant_id'],
] as const;

const REMOVE_TASK = 'webhooks.remove-of-deleted';
/** Far longer than events wait for their numbers. */
const REMOVE_AFTER_SECONDS = 3_600;
/** Rows of one transaction. */
const REMOVE_BATCH = 500;

/** Whether it is of a deleted subscription. */
const OF_DELETED =
  "(tenant_id, endpoint_id) IN (SELECT tenant_id, id FROM webhook_endpoints WHERE status = 'deleted')";

/** Removes expired rows, and those of deleted subscriptions and organizations. */
@RemovesExpired(
  {
    table: 'webhook_attempts',
    key: 'tenant_id, delivery_id, id',
    when: "at < now() - interval '14 days'",
  },
  {
    table: 'webhook_deliveries',
    key: 'tenant_id, id',
    when: "created_at < now() - interval '30 days'",
  },
  { table: 'webhook_deliveries', key: 'tenant_id, id', when: OF_DELETED },
  {
    table: 'webhook_endpoints',
    key: 'tenant_id, id',
    when: `status = 'deleted' AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d
          WHERE d.tenant_id = webhook_endpoints.tenant_id AND d.endpoint_id = webhook_endpoints.id)`,
  },
)
@Injectable()
export class WebhookCleanup {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: JobQueue,
  ) {}

  @OnLifecycle('tenant.deletion-previewed')
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    report(
      'webhooks',
      await this.tenants.countUpTo(MAX_COUNTED, tenantId, 'webhook_endpoints', "status <> 'deleted'"),
    );
  }

  @OnLifecycle('tenant.deleting')
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, TABLES)) repeat();
  }

  /** Events of the deletion itself are numbered after it, and leave rows. */
  @OnLifecycle('tenant.deleted')
  async removeLater({ tenantId }: LifecycleEvents['tenant.deleted']): Promise<void> {
    await this.jobs.add(REMOVE_TASK, { tenantId }, { delaySeconds: REMOVE_AFTER_SECONDS });
  }

  @JobHandler({ task: REMOVE_TASK })
  async remove({ tenantId }: LifecycleEvents['tenant.deleted']): Promise<void> {
    const removeBatch = () =>
      this.database.transaction(() => this.tenants.removeBatch(tenantId, REMOVE_BATCH, TABLES));
    while (await removeBatch());
  }
}
