import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../../kernel/index.js';
import { MAX_COUNTED } from '../../platform/api/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';

/** Removes the clients of deleted organizations. */
@Injectable()
export class TenantClientCleanup {
  constructor(private readonly tenants: TenantDatabase) {}

  @OnLifecycle('tenant.deletion-previewed')
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    report('clients', await this.tenants.countUpTo(MAX_COUNTED, tenantId, 'satellites'));
  }

  @OnLifecycle('tenant.deleting')
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, [['satellites', 'id']])) repeat();
  }
}
