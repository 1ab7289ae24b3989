import { Injectable } from '@nestjs/common';
import { ErasureService, ManagedAccountRepository, SuspensionService } from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { LogoutService } from '../../session/index.js';
import type { DirectoryUserEntity, RecordReason } from '../records/record.entity.js';
import { DirectorySuspensionRepository } from './directory-suspension.repository.js';
import { PersonRepository } from './person.repository.js';

/** Suspends, restores and erases accounts that directories manage. */
@Injectable()
export class ManagedAccounts {
  constructor(
    private readonly managed: ManagedAccountRepository,
    private readonly suspensions: SuspensionService,
    private readonly marks: DirectorySuspensionRepository,
    private readonly erasures: ErasureService,
    private readonly people: PersonRepository,
    private readonly logouts: LogoutService,
  ) {}

  /** Returns whether the person has nothing but the membership of this organization. */
  isOnlyOf(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return this.managed.isOfTenantAlone(userId, tenantId);
  }

  /**
   * Restores a suspended account, if directories of the organization have suspended it, and it is
   * the record's already or the organization is still the authority for its address.
   * @returns why the account stays suspended; null if it was restored
   */
  async restore(
    { tenantId, accountId }: Pick<DirectoryUserEntity, 'tenantId' | 'accountId'>,
    userId: UserId,
  ): Promise<RecordReason | null> {
    const suspenders = await this.marks.findSuspenders(userId);
    if (!suspenders.includes(tenantId))
      return suspenders.length > 0 ? 'account-suspended-by-organization' : 'account-suspended';
    if (accountId !== userId && !(await this.isOnlyOf(userId, tenantId))) return 'account-suspended';
    await this.suspensions.restore(userId);
    await this.marks.remove(tenantId, userId, 'account');
    return null;
  }

  /**
   * Suspends an account that is not suspended: by whom decides who restores it.
   * @param number of a worker, by which the directory can find the account again
   */
  async suspend(tenantId: TenantId, userId: UserId, number: string | null): Promise<void> {
    await this.suspensions.suspend(userId);
    await this.marks.mark(tenantId, userId, 'account', number);
  }

  async erase(userId: UserId): Promise<void> {
    await this.erasures.erase(userId);
  }

  /** Ends the sessions with a sign-in by a connection of the organization. */
  async signOut(tenantId: TenantId, userId: Locked<UserId>): Promise<void> {
    await this.logouts.endSessionsByConnections(userId, await this.people.listConnectionIds(tenantId));
  }
}
