import { Injectable } from '@nestjs/common';
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

/** Limits the number of organizations that a person is a member of. */
@Injectable()
export class MembershipLimit {
  constructor(
    private readonly accounts: AccountService,
    private readonly tenants: TenantRepository,
  ) {}

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
