import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK } from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { TenantDatabase } from '../platform/database/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';

/** Removes rows of deleted organizations. Workers go with their memberships. */
@Injectable()
export class FrontlineCleanup {
  constructor(private readonly tenants: TenantDatabase) {}

  @OnLifecycle('tenant.deletion-previewed', { order: LOCK.rows })
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    report('stations', await this.tenants.countUpTo(MAX_COUNTED, tenantId, 'stations'));
  }

  @OnLifecycle('tenant.deleting', { order: LOCK.rows })
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, [['stations', 'id']])) repeat();
  }
}
