import { Injectable } from '@nestjs/common';
import type { LifecycleEvents, TenantId, UserId } from '../../kernel/index.js';
import { Database, TenantDatabase } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { DirectorySuspensionEntity } from './suspension.entity.js';

type Kind = DirectorySuspensionEntity['kind'];

/**
 * Marks what the directories of an organization have suspended, so that they restore it and
 * nothing else. A mark is removed as soon as anyone suspends the same again: that is an
 * administrator's or operator's suspension, which no directory lifts. A directory that suspends
 * sets its mark after this.
 */
@Injectable()
export class DirectorySuspensionRepository {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
  ) {}

  /** @param number of a worker; null for anyone else */
  async mark(tenantId: TenantId, userId: UserId, kind: Kind, number: string | null = null): Promise<void> {
    await this.tenants.rows(
      tenantId,
      `INSERT INTO directory_suspensions (tenant_id, account_id, kind, number_key) VALUES ($1, $2, $3, lower($4))
       ON CONFLICT ON CONSTRAINT directory_suspensions_pkey DO NOTHING`,
      [userId, kind, number],
    );
  }

  /** @returns whether there was a mark */
  async remove(tenantId: TenantId, userId: UserId, kind: Kind): Promise<boolean> {
    return (
      (await this.tenants.of(DirectorySuspensionEntity).delete(tenantId, { accountId: userId, kind })) > 0
    );
  }

  /** Returns the organizations whose directories have suspended an account: at most one. */
  async findSuspenders(userId: UserId): Promise<TenantId[]> {
    const sql = `SELECT tenant_id AS "tenantId" FROM directory_suspensions WHERE account_id = $1 AND kind = 'account'`;
    return this.database.values<TenantId>(sql, [userId]);
  }

  /** Finds the account of the worker with a number that directories have suspended last. */
  async findWorker(tenantId: TenantId, number: string): Promise<UserId | null> {
    const row = await this.tenants.row<{ userId: UserId }>(
      tenantId,
      `SELECT account_id AS "userId" FROM directory_suspensions
       WHERE tenant_id = $1 AND number_key = lower($2) AND kind = 'account' ORDER BY account_id DESC LIMIT 1`,
      [number],
    );
    return row?.userId ?? null;
  }

  @OnLifecycle('account.erased')
  async removeOfPerson({ userId }: LifecycleEvents['account.erased']): Promise<void> {
    await this.database.repository(DirectorySuspensionEntity).delete({ accountId: userId });
  }

  @OnLifecycle('account.suspended')
  async removeOfAccount({ userId }: LifecycleEvents['account.suspended']): Promise<void> {
    const where = { accountId: userId, kind: 'account' } as const;
    await this.database.repository(DirectorySuspensionEntity).delete(where);
  }

  @OnLifecycle('memberships.suspended')
  async removeOfMember({ userId, tenantIds }: LifecycleEvents['memberships.suspended']): Promise<void> {
    await this.tenants.rowsOfEach(
      tenantIds,
      `DELETE FROM directory_suspensions s USING unnest($1::text[]) asked (tenant_id)
       WHERE s.tenant_id = asked.tenant_id AND s.account_id = $2 AND s.kind = 'member'`,
      [userId],
    );
  }
}
