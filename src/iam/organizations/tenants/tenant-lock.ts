import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import type { Locked, Principal, TenantId } from '../../../kernel/index.js';
import { TenantRepository } from './tenant.repository.js';

/**
 * Serializes changes of an organization's members, roles and invitations. Every such change takes
 * this lock first, so that two owners cannot demote each other concurrently, and to avoid deadlocks
 * (ARCHITECTURE.md, lock order).
 */
@Injectable()
export class TenantLock {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantRepository,
  ) {}

  /** Locks the caller's selected tenant, if there is one, until the transaction ends. */
  async lockSelectedForUpdate({ tenantId }: Principal): Promise<void> {
    if (tenantId !== null) await this.lockForUpdate(tenantId);
  }

  /** Locks a tenant until the transaction ends. */
  async lockForUpdate(tenantId: TenantId): Promise<Locked<TenantId>> {
    await this.lockAllForUpdate([tenantId]);
    return this.requireLocked(tenantId);
  }

  /** Runs a change in one transaction, under the lock of a tenant. */
  underLock<T>(tenantId: TenantId, change: (tenantId: Locked<TenantId>) => Promise<T>): Promise<T> {
    return this.database.transaction(async () => change(await this.lockForUpdate(tenantId)));
  }

  /** Locks tenants until the transaction ends, in id order, to avoid deadlocks. */
  async lockAllForUpdate(tenantIds: readonly TenantId[]): Promise<Locked<TenantId>[]> {
    for (const id of tenantIds) this.database.noteLock(`tenant ${id}`);
    await this.tenants.lockForUpdate(tenantIds);
    return tenantIds.map((id) => this.requireLocked(id));
  }

  /** @throws {Error} if the open transaction has not locked the tenant */
  requireLocked(tenantId: TenantId): Locked<TenantId> {
    if (!this.database.holdsLock(`tenant ${tenantId}`)) throw new Error('The tenant is not locked.');
    return tenantId as Locked<TenantId>;
  }
}

/** Base of policies whose commands hold the lock of the selected organization. */
@Injectable()
export abstract class TenantLockedPolicy {
  @Inject(TenantLock)
  private readonly tenantLock!: TenantLock;

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }
}
