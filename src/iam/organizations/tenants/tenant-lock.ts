import { Injectable } from '@nestjs/common';
import { Database, prepared } from '../../../platform/database/index.js';
import type { Principal, TenantId } from '../../../kernel/index.js';

const LOCK = prepared('SELECT 1 FROM tenants WHERE id = ANY($1) ORDER BY id FOR UPDATE');

/**
 * Serializes changes of an organization's members, roles and invitations. Every such change takes
 * this lock first, so that two owners cannot demote each other concurrently, and to avoid deadlocks
 * (ARCHITECTURE.md, lock order).
 */
@Injectable()
export class TenantLock {
  constructor(private readonly database: Database) {}

  /** Locks the caller's selected tenant, if there is one, until the transaction ends. */
  async lockSelectedForUpdate({ tenantId }: Principal): Promise<void> {
    if (tenantId !== null) await this.lockForUpdate(tenantId);
  }

  /** Locks tenants until the transaction ends, in id order, to avoid deadlocks. */
  async lockForUpdate(...tenantIds: TenantId[]): Promise<void> {
    await this.database.rows(LOCK, [tenantIds]);
  }
}
