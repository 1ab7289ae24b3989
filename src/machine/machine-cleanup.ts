import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { Cleanup } from '../platform/cleanup/index.js';
import { Database, TenantDatabase } from '../platform/database/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';

/** Tables with rows of tenants, in the order in which they can be removed, with their keys. */
const TABLES = [
  ['machine_credentials', 'owner_id, id'],
  ['service_account_roles', 'account_id, role_id'],
  ['service_accounts', 'id'],
] as const;

/** Removes expired credentials, and rows of deleted organizations. */
@Injectable()
export class MachineCleanup {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** Expired keys are listed for another 30 days. */
  @Cleanup()
  removeExpired(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'machine_credentials',
      key: 'tenant_id, owner_id, id',
      when: "expires_at < now() - interval '30 days'",
    });
  }

  @OnLifecycle('tenant.deletion-previewed')
  async report({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    const row = await this.tenants.row<{ count: number }>(
      tenantId,
      `SELECT count(*)::int AS count FROM (SELECT 1 FROM service_accounts WHERE tenant_id = $1 LIMIT ${MAX_COUNTED}) AS c`,
    );
    report('service-accounts', row?.count ?? 0);
  }

  @OnLifecycle('tenant.deleting')
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    for (const [table, key] of TABLES) {
      const removed = await this.tenants.rows(
        tenantId,
        `DELETE FROM ${table} WHERE tenant_id = $1 AND (${key}) IN (SELECT ${key} FROM ${table} WHERE tenant_id = $1 LIMIT $2) RETURNING 1`,
        [batch],
      );
      if (removed.length === batch) return repeat();
    }
  }
}
