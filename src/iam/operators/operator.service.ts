import { Injectable } from '@nestjs/common';
import { AbilityRegistry, type DeclaredScope, isHeldByOperator } from '../../ability/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError, type Violation } from '../../platform/errors/index.js';
import { canonicalEmail, isEmailAddress, LOCK, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Recipient } from '../accounts/account-mails.js';
import { AccountRepository } from '../accounts/account.repository.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { type Appointment, type Operator, OperatorRepository } from './operator.repository.js';

/** Scopes that no restricted operator holds. */
const OF_WHOLE_ADMINS: ReadonlySet<string> = new Set([
  'platform:operator:create',
  'platform:operator:update',
  'platform:operator:remove',
]);

/** Role of an operator, and scopes that restrict it. */
interface Given {
  readonly role: Appointment['role'];
  readonly scopes?: readonly string[] | null | undefined;
}

/** Manages the operators of the platform, who hold the scopes that belong to no tenant. */
@Injectable()
export class OperatorService {
  constructor(
    private readonly database: Database,
    private readonly operators: OperatorRepository,
    private readonly accounts: AccountRepository,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    private readonly registry: AbilityRegistry,
  ) {}

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

  /**
   * Lists the addresses of admins who have one and are not suspended.
   * @param scope only of those who hold this scope of admins; null for every admin
   */
  listAdminAddresses(scope: string | null = null): Promise<Recipient[]> {
    return this.operators.listAdminAddresses(scope);
  }

  /**
   * Lists the scopes to which operators can be restricted.
   * @returns those of one policy in a row
   */
  listGivableScopes(): DeclaredScope[] {
    return [...this.registry.all.values()].filter(
      ({ audience, scope }) => audience === 'operator' && !OF_WHOLE_ADMINS.has(scope),
    );
  }

  /**
   * Makes the owner of an address an operator, by another operator.
   * @throws {AppError} validation-error on `email` if no account has this address, and on
   *   `scopes[n]` for a scope that cannot be given; conflict if it is an operator already
   */
  add(callerId: UserId, email: string, given: Given): Promise<Operator> {
    const appointment = this.requireGivable(given);
    return this.database.transaction(async () => {
      const userId = await this.ownerOf(email);
      if (!(await this.operators.insert(userId, appointment)))
        throw new AppError('conflict', { reason: { id: 'operator.exists' } });
      await this.lifecycle.emit('operator.changed', { userId });
      await this.record(callerId, userId, 'became-operator');
      return this.get(userId);
    });
  }

  /**
   * Changes what an operator may do, by another operator. Effective at once.
   * @throws {AppError} validation-error on `scopes[n]` for a scope that cannot be given; not-found
   *   for no operator
   */
  update(callerId: UserId, userId: UserId, given: Given): Promise<Operator> {
    const appointment = this.requireGivable(given);
    return this.database.transaction(async () => {
      if (await this.operators.update(userId, appointment)) {
        await this.lifecycle.emit('operator.changed', { userId });
        await this.record(callerId, userId, 'operator-changed');
      }
      return this.get(userId);
    });
  }

  /** @throws {AppError} not-found for no operator */
  async get(userId: UserId): Promise<Operator> {
    return (await this.operators.find(userId)) ?? AppError.notFound();
  }

  /** Takes the role of an operator from a person, by another operator. */
  remove(callerId: UserId, userId: UserId): Promise<void> {
    return this.database.transaction(async () => {
      await this.removeOperator({ userId });
      await this.record(callerId, userId, 'ceased-as-operator');
    });
  }

  /**
   * Makes the owner of an address an operator, or changes the rights of one. For the command line.
   * @returns the id of the owner's account
   * @throws {AppError} validation-error on `email` if no account has this address, and on
   *   `scopes[n]` for a scope that cannot be given
   */
  grant(
    email: string,
    role: Given['role'] = 'admin',
    scopes: readonly string[] | null = null,
  ): Promise<UserId> {
    const appointment = this.requireGivable({ role, scopes });
    return this.database.transaction(async () => {
      const userId = await this.ownerOf(email);
      await this.operators.upsert(userId, appointment);
      await this.lifecycle.emit('operator.changed', { userId });
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
      if (await this.removeOperator({ userId }))
        await this.audit.recordForAccount(userId, 'ceased-as-operator');
      return userId;
    });
  }

  /**
   * Removes the person from the operators.
   * @returns false for no operator
   */
  @OnLifecycle('account.erased', { order: LOCK.sessions })
  async removeOperator({ userId }: { userId: UserId }): Promise<boolean> {
    if (!(await this.operators.delete(userId))) return false;
    await this.lifecycle.emit('operator.ceased', { userId });
    return true;
  }

  /**
   * Checks the scopes of an appointment. Who decides about operators is an admin without
   * restrictions: a restricted one could give themselves more.
   * @throws {AppError} validation-error
   */
  private requireGivable({ role, scopes = null }: Given): Appointment {
    if (scopes === null) return { role, scopes: null };
    const violations = scopes.flatMap((scope, n): Violation[] => {
      const propertyPath = `scopes[${n}]`;
      const declared = this.registry.find(scope);
      if (declared?.audience !== 'operator' || !isHeldByOperator(declared, { role, scopes: null }))
        return [{ propertyPath, message: { id: 'operator.scope-not-of-role' } }];
      if (!OF_WHOLE_ADMINS.has(scope)) return [];
      return [{ propertyPath, message: { id: 'operator.scope-of-whole-admins' } }];
    });
    if (violations.length > 0) throw new AppError('validation-error', { violations });
    return { role, scopes: [...new Set(scopes)].toSorted() };
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
