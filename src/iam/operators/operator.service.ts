import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { canonicalEmail, isEmailAddress, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { AccountRepository } from '../accounts/account.repository.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { type Operator, OperatorRepository } from './operator.repository.js';

const OPERATORS_CHANNEL = 'gatehouse_operators_changed';

/** Manages the operators of the platform, who hold the scopes that belong to no tenant. */
@Injectable()
export class OperatorService {
  private readonly operatorIds: LiveSet;

  constructor(
    private readonly database: Database,
    private readonly operators: OperatorRepository,
    private readonly accounts: AccountRepository,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    feed: ChangeFeed,
  ) {
    this.operatorIds = new LiveSet(feed, OPERATORS_CHANNEL, (userIds) =>
      this.operators.findOperators(userIds),
    );
  }

  /**
   * Returns whether the person is an operator, by the cache.
   * @param lock read the database, and lock the row until the transaction ends
   */
  isOperator(userId: UserId, lock: boolean): Promise<boolean> {
    return lock ? this.operators.isOperatorForShare(userId) : this.operatorIds.has(userId);
  }

  /**
   * Lists operators in order of id.
   * @returns one more than `page.limit` if there are more
   */
  list(page: Page): Promise<Operator[]> {
    return this.operators.list(page);
  }

  /**
   * Makes the owner of an address an operator.
   * @returns the id of the owner's account
   * @throws {AppError} validation-error on `email` if no account has this address
   */
  grant(email: string): Promise<UserId> {
    return this.database.transaction(async () => {
      const userId = await this.ownerOf(email);
      await this.operators.insert(userId);
      await this.audit.recordForAccount(userId, 'became-operator');
      return userId;
    });
  }

  /**
   * Revokes the owner's role of an operator, effective on each replica within the bounds of API-5.
   * @returns the id of the owner's account
   * @throws {AppError} validation-error on `email` if no account has this address
   */
  revoke(email: string): Promise<UserId> {
    return this.database.transaction(async () => {
      const userId = await this.ownerOf(email);
      await this.removeOperator({ userId });
      await this.audit.recordForAccount(userId, 'ceased-as-operator');
      return userId;
    });
  }

  /** Removes the person from the operators and invalidates the cache on every replica. */
  @OnLifecycle('account.erased')
  async removeOperator({ userId }: { userId: UserId }): Promise<void> {
    await this.operators.delete(userId);
    await this.operatorIds.announce(userId);
    await this.lifecycle.emit('operator.ceased', { userId });
  }

  private async ownerOf(email: string): Promise<UserId> {
    const account = isEmailAddress(email)
      ? await this.accounts.findByEmailKeyForShare(canonicalEmail(email))
      : null;
    if (!account) throw AppError.violation('email', 'no verified account with this address');
    return account.id;
  }
}
