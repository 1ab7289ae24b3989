import { Injectable } from '@nestjs/common';
import { MAX_COUNTED } from 'gatehouse/api';
import { TenantDatabase } from 'gatehouse/database';
import { OnLifecycle } from 'gatehouse/lifecycle';
import type { LifecycleEvents } from 'gatehouse/kernel';

/** Takes part in the deletion of an organization. */
@Injectable()
export class ShipmentsDeletion {
  constructor(private readonly database: TenantDatabase) {}

  @OnLifecycle('tenant.deletion-previewed')
  async preview({ tenantId, report }: LifecycleEvents['tenant.deletion-previewed']): Promise<void> {
    const sql = `SELECT count(*)::int AS count FROM (SELECT 1 FROM shipments WHERE tenant_id = $1 LIMIT ${MAX_COUNTED}) counted`;
    const [row] = await this.database.rows<{ count: number }>(tenantId, sql);
    report('shipments', row?.count ?? 0);
  }

  @OnLifecycle('tenant.deleting')
  async remove({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    const sql = `DELETE FROM shipments WHERE tenant_id = $1
      AND id IN (SELECT id FROM shipments WHERE tenant_id = $1 ORDER BY id LIMIT $2) RETURNING 1`;
    const removed = await this.database.rows(tenantId, sql, [batch]);
    if (removed.length === batch) repeat();
  }
}
