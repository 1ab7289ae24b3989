import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Principal, TenantId } from '../../../kernel/index.js';

/**
 * One change of an organization's members, roles or invitations at a time. Whoever changes them takes this lock first, so that owners
 * cannot demote each other at once, and no two changes wait for each other in a ring.
 */
@Injectable()
export class TenantLock {
  constructor(private readonly database: Database) {}

  /** Takes the lock of the caller's selected tenant until the transaction ends. */
  async lockSelectedForUpdate({ tenantId }: Principal): Promise<void> {
    if (tenantId !== null) await this.lockForUpdate(tenantId);
  }

  /** Those of several in order of id, as everybody takes them. */
  async lockForUpdate(...tenantIds: TenantId[]): Promise<void> {
    await this.database.rows('SELECT 1 FROM tenants WHERE id = ANY($1) ORDER BY id FOR UPDATE', [tenantIds]);
  }
}
