import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK, type TenantId } from '../../kernel/index.js';
import { prepared, TenantDatabase } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { FormerNameEntity } from './audit-event.entity.js';

/** Names of deleted things. */
@Injectable()
export class FormerNameRepository {
  constructor(private readonly tenants: TenantDatabase) {}

  /** Returns those that have a name, each in the organization at its place. */
  find(
    tenantIds: readonly TenantId[],
    subjects: readonly string[],
  ): Promise<Pick<FormerNameEntity, 'tenantId' | 'subject' | 'name'>[]> {
    return this.tenants.rowsOfEach(
      tenantIds,
      prepared(`SELECT f.tenant_id AS "tenantId", f.subject, f.name FROM unnest($1::text[], $2::text[]) AS asked (tenant_id, subject)
         JOIN former_names f ON f.tenant_id = asked.tenant_id AND f.subject = asked.subject`),
      [subjects],
    );
  }

  @OnLifecycle('tenant.deleting', { order: LOCK.rows })
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if (await this.tenants.removeBatch(tenantId, batch, [['former_names', 'subject']])) repeat();
  }
}
