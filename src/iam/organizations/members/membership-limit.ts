import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/index.js';
import type { UserId } from '../../../kernel/index.js';
import type { Account } from '../../accounts/account.repository.js';
import { AccountService } from '../../accounts/account.service.js';
import { TenantRepository } from '../tenants/tenant.repository.js';

/**
 * Organizations of one person. More than anybody works in, and few enough to leave all at once, as an erasure does under the locks of all of them: who
 * makes them by the thousand could otherwise not be erased, and would hold up everybody else.
 */
const MAX_MEMBERSHIPS = 1_000;

/** In how many organizations a person can be. */
@Injectable()
export class MembershipLimit {
  constructor(
    private readonly accounts: AccountService,
    private readonly tenants: TenantRepository,
  ) {}

  /**
   * Holds the account of who is about to be a member, so that no other membership of theirs begins before the open transaction ends.
   * @throws {AppError} unauthenticated when the account is gone or suspended
   */
  lockAccountForUpdate(userId: UserId): Promise<Account> {
    return this.accounts.requireActiveForUpdate(userId);
  }

  /**
   * Asked of an account that is held, once its membership has begun.
   * @throws {AppError} conflict for one membership too many, and then the transaction is to be undone
   */
  async requireWithinLimit(userId: UserId): Promise<void> {
    if ((await this.tenants.countOf(userId)) > MAX_MEMBERSHIPS)
      throw new AppError('conflict', {
        detail: `You are in ${MAX_MEMBERSHIPS} organizations, and nobody can be in more. Leave one that you do not need; where you are the last owner, make somebody else an owner first.`,
      });
  }
}
