import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK } from '../../kernel/index.js';
import { Database, TenantDatabase } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';

/** Tables with rows of organizations, in the order of their removal, with their keys. */
const TABLES = [
  ['audit_entries', 'sequence'],
  ['audit_anchors', 'sequence'],
  ['audit_chains', 'tenant_id'],
] as const;

const REMOVE_TASK = 'audit.remove-of-deleted';
/** Longer than a transaction of the chainer that has read before the deletion began. */
const REMOVE_AFTER_SECONDS = 3_600;
/** Rows of one transaction. */
const REMOVE_BATCH = 500;

/** Removes the chains of deleted organizations. */
@Injectable()
export class ChainCleanup {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    private readonly jobs: JobQueue,
  ) {}

  @OnLifecycle('tenant.deleting', { order: LOCK.rows })
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, TABLES)) repeat();
  }

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
