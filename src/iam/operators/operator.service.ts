import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { canonicalEmail, isEmailAddress, type OperatorRole, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import type { Recipient } from '../accounts/account-mails.js';
import { AccountRepository } from '../accounts/account.repository.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { type Operator, OperatorRepository } from './operator.repository.js';

const OPERATORS_CHANNEL = 'gatehouse_operators_changed';

/** Manages the operators of the platform, who hold the scopes that belong to no tenant. */
@Injectable()
export class OperatorService {
  private readonly roles: LiveCache<{ readonly role: OperatorRole }>;

  constructor(
    private readonly database: Database,
    private readonly operators: OperatorRepository,
    private readonly accounts: AccountRepository,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    feed: ChangeFeed,
  ) {
    this.roles = new LiveCache(feed, OPERATORS_CHANNEL, async (userIds) => {
      const operators = await this.operators.findOperators(userIds);
      return new Map(operators.map((operator) => [operator.id, operator]));
    });
  }

  /**
   * Returns the person's role as an operator, by the cache; null for no operator.
   * @param lock read the database, and lock the row until the transaction ends
   */
  async findRole(userId: UserId, lock: boolean): Promise<OperatorRole | null> {
    const held = lock ? await this.operators.findForShare(userId) : await this.roles.get(userId);
    return held?.role ?? null;
  }

  /**
   * Lists operators for one of them, whose trail has it: the list has addresses.
   * @returns as {@link list}
   */
  async listFor(callerId: UserId, page: Page): Promise<Operator[]> {
    await this.audit.record({ actorId: callerId, action: 'operator.operators-read' });
    return this.list(page);
  }

  /**
   * Lists operators in order of id.
   * @returns one more than `page.limit` if there are more
   */
  list(page: Page): Promise<Operator[]> {
    return this.operators.list(page);
  }

  /** Lists the addresses of all admins that have one. */
  listAdminAddresses(): Promise<Recipient[]> {
    return this.operators.listAdminAddresses();
  }

  /**
   * Makes the owner of an address an operator, by another operator.
   * @throws {AppError} validation-error on `email` if no account has this address; conflict if it
   *   is an operator already
   */
  add(callerId: UserId, email: string, role: OperatorRole): Promise<Operator> {
    return this.database.transaction(async () => {
      const userId = await this.ownerOf(email);
      if (!(await this.operators.insert(userId, role)))
        throw new AppError('conflict', { reason: { id: 'operator.exists' } });
      await this.roles.announce(userId);
      await this.record(callerId, userId, 'became-operator');
      const operator = await this.operators.find(userId);
      if (!operator) throw new AppError('not-found');
      return operator;
    });
  }

  /** Takes the role of an operator from a person, by another operator. */
  remove(callerId: UserId, userId: UserId): Promise<void> {
    return this.database.transaction(async () => {
      await this.removeOperator({ userId });
      await this.record(callerId, userId, 'ceased-as-operator');
    });
  }

  /**
   * Makes the owner of an address an operator, or changes the role of one. For the command line.
   * @returns the id of the owner's account
   * @throws {AppError} validation-error on `email` if no account has this address
   */
  grant(email: string, role: OperatorRole = 'admin'): Promise<UserId> {
    return this.database.transaction(async () => {
      const userId = await this.ownerOf(email);
      await this.operators.upsert(userId, role);
      await this.roles.announce(userId);
      await this.audit.recordForAccount(userId, 'became-operator');
      return userId;
    });
  }

  /**
   * Revokes the owner's role of an operator, also the last one's, effective on each replica within
   * the bounds of API-5.
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
    await this.roles.announce(userId);
    await this.lifecycle.emit('operator.ceased', { userId });
  }

  /** Records a change in the trail of the person, and in that of the operator who made it. */
  private async record(callerId: UserId, userId: UserId, what: string): Promise<void> {
    const event = { action: `account.${what}`, subject: `iam/accounts/${userId}` };
    const actors = callerId === userId ? [userId] : [userId, callerId];
    await this.audit.record(...actors.map((actorId) => ({ actorId, ...event })));
  }

  private async ownerOf(email: string): Promise<UserId> {
    const account = isEmailAddress(email)
      ? await this.accounts.findByEmailKeyForShare(canonicalEmail(email))
      : null;
    if (!account) throw AppError.violation('email', 'no verified account with this address');
    return account.id;
  }
}
