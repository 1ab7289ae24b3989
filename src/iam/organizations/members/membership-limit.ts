import { Inject, Injectable } from '@nestjs/common';
import { DailyBudgets } from '../../../platform/budgets/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { Locked, UserId } from '../../../kernel/index.js';
import type { LockedAccount } from '../../accounts/account.repository.js';
import { AccountService } from '../../accounts/account.service.js';
import { TenantRepository } from '../tenants/tenant.repository.js';

/**
 * Maximum number of organizations per person. An erasure leaves all of them in one transaction,
 * under the locks of all: without a limit, it would block their other members, or never finish.
 */
const MAX_MEMBERSHIPS = 1_000;

/** Limits the organizations that a person creates in a day, and is a member of. */
@Injectable()
export class MembershipLimit {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly tenants: TenantRepository,
    private readonly budgets: DailyBudgets,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Runs the creation of an organization by a person, who becomes a member, in one transaction.
   * @throws {AppError} too-many-requests beyond `LIMIT_ORGANIZATIONS` of a day; as
   *   {@link lockAccountForUpdate} and {@link requireWithinLimit}
   */
  createWithin<T>(userId: UserId, create: (account: LockedAccount) => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      const account = await this.lockAccountForUpdate(userId);
      const max = this.settings.LIMIT_ORGANIZATIONS;
      if (!(await this.budgets.take('organizations', userId, max)))
        throw new AppError('too-many-requests', {
          reason: { id: 'tenant.too-many-today', values: { max: max ?? 0 } },
          retryAfterSeconds: this.budgets.secondsUntilTomorrow(),
        });
      const created = await create(account);
      await this.requireWithinLimit(account.id);
      return created;
    });
  }

  /**
   * Locks the account of a person who is about to become a member, so that none of their other
   * memberships begins until the transaction ends.
   * @throws {AppError} unauthenticated if the account is erased or suspended
   */
  lockAccountForUpdate(userId: UserId): Promise<LockedAccount> {
    return this.accounts.requireActiveForUpdate(userId);
  }

  /**
   * Checks the limit after a membership was added.
   * @throws {AppError} conflict for one membership too many: the transaction has to be rolled back
   */
  async requireWithinLimit(userId: Locked<UserId>): Promise<void> {
    if ((await this.tenants.countOf(userId)) > MAX_MEMBERSHIPS)
      throw new AppError('conflict', {
        reason: { id: 'member.too-many-organizations', values: { max: MAX_MEMBERSHIPS } },
      });
  }
}
