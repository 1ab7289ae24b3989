import { Injectable } from '@nestjs/common';
import { TenantLock } from '../../iam/index.js';
import {
  type DirectoryScope,
  requireVersion,
  throwNotFound,
  userAttributesOf,
} from '../records/record-rules.js';
import type { DirectoryUserEntity } from '../records/record.entity.js';
import { UserRecordRepository } from '../records/user-record.repository.js';
import { addressOf, type Attributes } from '../scim/attributes.js';
import { applyPatch } from '../scim/patch.js';
import { ScimError } from '../scim/scim-error.js';
import { DirectoryTransactions } from './directory-transactions.js';
import { type LockedDirectory, MembershipProjection, NumberTaken } from './membership-projection.js';
import { Outdated, RecordAccounts } from './record-accounts.js';
import { UserEvents } from './user-events.js';

/** Attempts, if a concurrent request links the record or changes its address. */
const MAX_ATTEMPTS = 3;

/** Returns the attributes of a record after a change, of those before it. */
type Derive = (stored: Attributes) => Attributes;

/**
 * Writes records of people and derives memberships from them, in one transaction: after the answer
 * to a deactivation, nothing of the person works. A managed account follows the address of its
 * record, and its names until the person sets others. Locks the account, then the tenant,
 * then the record (ARCHITECTURE.md, lock order).
 */
@Injectable()
export class UserSync {
  constructor(
    private readonly users: UserRecordRepository,
    private readonly accounts: RecordAccounts,
    private readonly projection: MembershipProjection,
    private readonly transactions: DirectoryTransactions,
    private readonly tenantLock: TenantLock,
    private readonly events: UserEvents,
  ) {}

  /** @throws {ScimError} 404 */
  async get(scope: DirectoryScope, id: string): Promise<DirectoryUserEntity> {
    return (await this.users.find(scope, id)) ?? throwNotFound();
  }

  /**
   * Creates a record (POST).
   * @throws {ScimError} 400 for an invalid body; as {@link UserRecordRepository.create}; 409
   *   mutability for the last owner
   */
  create(scope: DirectoryScope, body: unknown): Promise<DirectoryUserEntity> {
    return this.sync(scope, async () => {
      const attributes = userAttributesOf(body);
      const directory = await this.transactions.getDirectory(scope);
      const target = await this.accounts.lockTarget(directory, null, attributes);
      const tenantId = await this.tenantLock.lockForUpdate(scope.tenantId);
      const made = target.userId !== null && target.isMade ? target.userId : null;
      const record = await this.users.create(scope, attributes, made);
      const locked = { ...directory, tenantId };
      const applied =
        made === null
          ? await this.projection.apply(locked, { record, target })
          : await this.projection.addNewcomer(locked, record, made);
      await this.events.emitWritten(null, applied);
      return applied;
    });
  }

  /**
   * Replaces a record (PUT).
   * @param version of the caller's If-Match; null without
   * @throws {ScimError} 404, 412, and as {@link create}
   */
  replace(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    body: unknown,
  ): Promise<DirectoryUserEntity> {
    return this.change(scope, id, version, (stored) => userAttributesOf(body, stored));
  }

  /** Applies operations of PATCH. Parameters and errors as for {@link replace}. */
  patch(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    operations: unknown,
  ): Promise<DirectoryUserEntity> {
    return this.change(scope, id, version, (stored) =>
      userAttributesOf(applyPatch(stored, operations), stored),
    );
  }

  /** Derives the membership again, such as once a domain was verified. @throws {ScimError} 404 */
  retry(scope: DirectoryScope, id: string): Promise<DirectoryUserEntity> {
    return this.change(scope, id, null, null);
  }

  /** Removes a record and the membership. @throws {ScimError} 404; 409 mutability */
  remove(scope: DirectoryScope, id: string, version: number | null): Promise<void> {
    return this.transactions.run(scope, async () => {
      const before = await this.get(scope, id);
      await this.accounts.lock(before);
      const tenantId = await this.tenantLock.lockForUpdate(scope.tenantId);
      const directory = { ...(await this.transactions.getDirectory(scope)), tenantId };
      const removed = await this.users.remove(scope, id, version);
      if (removed.accountId !== before.accountId) throw outdated();
      await this.projection.remove(directory, removed);
      await this.events.emitDeleted(removed);
    });
  }

  /** @param derive returns the attributes of those that are stored; null if these stay */
  private change(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    derive: Derive | null,
  ): Promise<DirectoryUserEntity> {
    return this.sync(scope, async () => {
      const before = await this.get(scope, id);
      requireVersion(version, before.version);
      const attributes = derive?.(before.attributes) ?? before.attributes;
      const directory = await this.transactions.getDirectory(scope);
      const target = await this.accounts.lockTarget(directory, before, attributes);
      const locked = { ...directory, tenantId: await this.tenantLock.lockForUpdate(scope.tenantId) };
      const record =
        derive === null
          ? await this.get(scope, id)
          : ((await this.users.update(before, attributes)) ??
            (await this.changeAgain(before, version, derive)));
      if (record.accountId !== before.accountId) throw new Outdated();
      if (addressOf(record.attributes) !== addressOf(attributes)) throw new Outdated();
      const applied = await this.projection.apply(locked, { record, target });
      await this.withdrawInvitation(locked, before, applied);
      await this.events.emitWritten(before, applied);
      return applied;
    });
  }

  /** Changes a record that another request has changed before the tenant was locked. */
  private async changeAgain(
    before: DirectoryUserEntity,
    version: number | null,
    derive: Derive,
  ): Promise<DirectoryUserEntity> {
    const now = await this.get(before, before.id);
    requireVersion(version, now.version);
    return (await this.users.update(now, derive(now.attributes))) ?? throwNotFound();
  }

  /** Runs a change in one transaction, again if a concurrent request was first. */
  private async sync(
    scope: DirectoryScope,
    run: () => Promise<DirectoryUserEntity>,
  ): Promise<DirectoryUserEntity> {
    for (let n = 1; n <= MAX_ATTEMPTS; n += 1) {
      try {
        return await this.transactions.run(scope, run);
      } catch (error) {
        if (!(error instanceof Outdated || error instanceof NumberTaken)) throw error;
      }
    }
    throw outdated();
  }

  /** Revokes the invitation of a record that waits no more, or for another address. */
  private async withdrawInvitation(
    directory: LockedDirectory,
    before: DirectoryUserEntity,
    now: DirectoryUserEntity,
  ): Promise<void> {
    const isWaiting = now.state === 'pending' && now.reason === 'unverified-domain';
    if (!isWaiting || now.emailKey !== before.emailKey)
      await this.projection.withdrawInvitation(directory, before);
  }
}

const outdated = () => new ScimError(409, null, 'The resource has changed. Read it again.');
