import { Injectable } from '@nestjs/common';
import type { LifecycleEvents } from '../../kernel/index.js';
import { Database, TenantDatabase } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';

/**
 * Removes the marks by which directories restore what they suspended, as soon as anyone suspends
 * it: a suspension that follows a restoration is an administrator's or operator's, which no
 * directory lifts. A directory that suspends sets its mark after this.
 */
@Injectable()
export class SuspensionMarks {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  @OnLifecycle('account.suspended')
  async removeOfAccount({ userId }: LifecycleEvents['account.suspended']): Promise<void> {
    await this.database.rows(
      'UPDATE directory_users SET suspended_account = false WHERE account_id = $1 AND suspended_account',
      [userId],
    );
  }

  @OnLifecycle('memberships.suspended')
  async removeOfMember({ userId, tenantIds }: LifecycleEvents['memberships.suspended']): Promise<void> {
    await this.tenants.rowsOfEach(
      tenantIds,
      `UPDATE directory_users u SET suspended_member = false FROM unnest($1::text[]) asked (tenant_id)
       WHERE u.tenant_id = asked.tenant_id AND u.account_id = $2 AND u.suspended_member`,
      [userId],
    );
  }
}
