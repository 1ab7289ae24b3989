import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../../kernel/index.js';
import { MAX_COUNTED } from '../../platform/api/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { LiveClients } from '../registry/live-clients.js';
import { TenantClientRepository } from './tenant-client.repository.js';

/** Removes the clients of deleted organizations. */
@Injectable()
export class TenantClientCleanup {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly clients: TenantClientRepository,
    private readonly live: LiveClients,
  ) {}

  @OnLifecycle('tenant.deletion-previewed')
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    report('clients', await this.tenants.countUpTo(MAX_COUNTED, tenantId, 'satellites'));
  }

  @OnLifecycle('tenant.deleting')
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    for (const clientId of await this.clients.listIds(tenantId)) await this.live.announce(clientId);
    if (
      await this.tenants.removeBatch(tenantId, batch, [
        ['satellites', 'id'],
        ['apis', 'id'],
      ])
    )
      repeat();
  }
}
