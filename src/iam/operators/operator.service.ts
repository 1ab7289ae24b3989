import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { canonicalEmail, isEmailAddress, type UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { AccountRepository } from '../accounts/account.repository.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { OperatorRepository } from './operator.repository.js';

const OPERATORS_CHANNEL = 'gatehouse_operators_changed';

/** Who runs the platform: they hold the scopes that belong to no tenant. */
@Injectable()
export class OperatorService {
  private readonly operatorIds: LiveSet;

  constructor(
    private readonly database: Database,
    private readonly operators: OperatorRepository,
    private readonly accounts: AccountRepository,
    private readonly audit: AuditTrail,
    feed: ChangeFeed,
  ) {
    this.operatorIds = new LiveSet(feed, OPERATORS_CHANNEL, (userIds) =>
      this.operators.findOperators(userIds),
    );
  }

  /** From memory, or with `lock` from the database and held until the transaction ends. */
  isOperator(userId: UserId, lock: boolean): Promise<boolean> {
    return lock ? this.operators.hold(userId) : this.operatorIds.has(userId);
  }

  /**
   * Makes the owner of the address an operator.
   * @throws {AppError} validation-error on `email` where there is no such account
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
   * Makes the owner of the address an operator no longer; every replica knows at once.
   * @throws {AppError} validation-error on `email` where there is no such account
   */
  revoke(email: string): Promise<UserId> {
    return this.database.transaction(async () => {
      const userId = await this.ownerOf(email);
      await this.removeOperator({ userId });
      await this.audit.recordForAccount(userId, 'ceased-as-operator');
      return userId;
    });
  }

  @OnLifecycle('account.erased')
  async removeOperator({ userId }: { userId: UserId }): Promise<void> {
    await this.operators.delete(userId);
    await this.operatorIds.announce(userId);
  }

  private async ownerOf(email: string): Promise<UserId> {
    const account = isEmailAddress(email)
      ? await this.accounts.findByEmailKeyForShare(canonicalEmail(email))
      : null;
    if (!account) throw AppError.violation('email', 'There is no verified account with this address.');
    return account.id;
  }
}
