import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../../kernel/index.js';
import { Cleanup } from '../cleanup/index.js';
import { Database, TenantDatabase } from '../database/index.js';
import { OnLifecycle } from '../lifecycle/index.js';

/** Days for which counts are kept: a month of hours, and of days the same month a year before. */
const HOURS_KEPT_DAYS = 35;
const DAYS_KEPT_DAYS = 400;

/** Removes counts that are too old, and counts of deleted organizations. */
@Injectable()
export class CountCleanup {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  @Cleanup()
  removeExpired(): Promise<boolean> {
    const expired = (span: string, days: number) => ({
      table: 'activity_counts',
      key: 'tenant_id, span, name, starts_at, source, value',
      when: `span = '${span}' AND starts_at < now() - interval '${days} days'`,
    });
    return this.database.removeInBatches(expired('hour', HOURS_KEPT_DAYS), expired('day', DAYS_KEPT_DAYS));
  }

  @OnLifecycle('tenant.deleting')
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    const table = ['activity_counts', 'span, name, starts_at, source, value'] as const;
    if (await this.tenants.removeBatch(tenantId, batch, [table])) repeat();
  }
}
