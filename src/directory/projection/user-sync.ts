import { Injectable } from '@nestjs/common';
import { AccountService, EmailChangeService, TenantLock } from '../../iam/index.js';
import { canonicalEmail, isEmailAddress, type UserId } from '../../kernel/index.js';
import { Database, isUniqueViolation } from '../../platform/database/index.js';
import type { DirectoryEntity } from '../directories/directory.entity.js';
import { DirectoryRepository } from '../directories/directory.repository.js';
import { type DirectoryScope, throwNotFound } from '../records/record-lists.js';
import type { DirectoryUserEntity } from '../records/user.entity.js';
import { UserRecords } from '../records/user-records.js';
import { type Attributes, isComplex, normalizeResource, primaryEmail } from '../scim/attributes.js';
import { applyPatch } from '../scim/patch.js';
import { ScimError } from '../scim/scim-error.js';
import { MembershipProjection, type Target } from './membership-projection.js';
import { PersonLookup } from './person-lookup.js';
import { SyncRefusals } from './sync-refusals.js';
import { UserEvents } from './user-events.js';

/** Attempts, if a concurrent request links the record or changes its address. */
const MAX_ATTEMPTS = 3;

class Outdated extends Error {}

/**
 * Writes records of people and derives memberships from them, in one transaction: after the answer
 * to a deactivation, nothing of the person works. A managed account follows the address of its
 * record, and its first name until the person sets another one. Locks the account, then the tenant,
 * then the record (ARCHITECTURE.md, lock order).
 */
@Injectable()
export class UserSync {
  constructor(
    private readonly database: Database,
    private readonly directories: DirectoryRepository,
    private readonly users: UserRecords,
    private readonly accounts: AccountService,
    private readonly addresses: EmailChangeService,
    private readonly people: PersonLookup,
    private readonly projection: MembershipProjection,
    private readonly tenantLock: TenantLock,
    private readonly refusals: SyncRefusals,
    private readonly events: UserEvents,
  ) {}

  /** @throws {ScimError} as {@link UserRecords.create}; 409 mutability for the last owner */
  create(scope: DirectoryScope, body: unknown): Promise<DirectoryUserEntity> {
    return this.sync(
      scope,
      null,
      () => body,
      (made) => this.users.create(scope, body, made),
    );
  }

  /** @throws {ScimError} as {@link UserRecords.replace}; 409 mutability for the last owner */
  replace(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    body: unknown,
  ): Promise<DirectoryUserEntity> {
    return this.sync(
      scope,
      id,
      () => body,
      () => this.users.replace(scope, id, version, body),
    );
  }

  /** @throws {ScimError} as {@link UserRecords.patch}; 409 mutability for the last owner */
  patch(
    scope: DirectoryScope,
    id: string,
    version: number | null,
    operations: unknown,
  ): Promise<DirectoryUserEntity> {
    const derive = (stored: Attributes) => applyPatch(stored, operations);
    return this.sync(scope, id, derive, () => this.users.patch(scope, id, version, operations));
  }

  /** Derives the membership again, such as once a domain was verified. @throws {ScimError} 404 */
  retry(scope: DirectoryScope, id: string): Promise<DirectoryUserEntity> {
    const same = async () => (await this.users.find(scope, id)) ?? throwNotFound();
    return this.sync(scope, id, (stored) => stored, same);
  }

  /** Removes a record and the membership. @throws {ScimError} 404; 409 mutability */
  remove(scope: DirectoryScope, id: string, version: number | null): Promise<void> {
    return this.refusals.report(scope, () =>
      this.database.transaction(async () => {
        const before = (await this.users.find(scope, id)) ?? throwNotFound();
        if (before.accountId !== null) await this.accounts.lockForUpdate(before.accountId);
        const directory = await this.lockDirectory(scope);
        const removed = await this.users.remove(scope, id, version);
        if (removed.accountId !== before.accountId) throw outdated();
        await this.projection.remove(directory, removed);
        await this.events.emitDeleted(removed);
      }),
    );
  }

  private async sync(
    scope: DirectoryScope,
    id: string | null,
    derive: (stored: Attributes) => unknown,
    write: (made: UserId | null) => Promise<DirectoryUserEntity>,
  ): Promise<DirectoryUserEntity> {
    for (let n = 1; n <= MAX_ATTEMPTS; n += 1) {
      try {
        return await this.refusals.report(scope, () => this.syncOnce(scope, id, derive, write));
      } catch (error) {
        if (!(error instanceof Outdated)) throw error;
      }
    }
    throw outdated();
  }

  private syncOnce(
    scope: DirectoryScope,
    id: string | null,
    derive: (stored: Attributes) => unknown,
    write: (made: UserId | null) => Promise<DirectoryUserEntity>,
  ): Promise<DirectoryUserEntity> {
    return this.database.transaction(async () => {
      const before = id === null ? null : ((await this.users.find(scope, id)) ?? throwNotFound());
      const directory = await this.directories.find(scope.tenantId, scope.directoryId);
      if (!directory) throwNotFound();
      const given = derive(before?.attributes ?? {});
      const attributes = isComplex(given) ? normalizeResource(given, before?.attributes) : {};
      const target = await this.findTarget(directory, before, attributes);
      if (before?.accountId && before.madeAccount) {
        await this.changeAddress(directory, before.accountId, attributes);
        await this.changeFirstName(directory, before.accountId, before.attributes, attributes);
      }
      if (before === null && target.userId !== null && target.isMade)
        return this.createNewcomer(directory, target.userId, write);
      if (target.userId !== null) await this.accounts.lockForUpdate(target.userId);
      await this.lockDirectory(scope);
      const record = await write(null);
      if (before !== null && record.accountId !== before.accountId) throw new Outdated();
      if (addressOf(record.attributes) !== addressOf(attributes)) throw new Outdated();
      const applied = await this.projection.apply(directory, { record, target });
      if (before !== null) await this.withdrawInvitation(directory, before, applied);
      await this.events.emitWritten(before, applied);
      return applied;
    });
  }

  /**
   * Writes the record of an account that was created for it: most requests of a first
   * synchronization. No other transaction sees the account before the commit, so that it needs no
   * lock, and has no other record, group or role. The lock of the tenant is held for as few
   * statements as possible: creations of one organization wait for each other.
   */
  private async createNewcomer(
    directory: DirectoryEntity,
    userId: UserId,
    write: (made: UserId) => Promise<DirectoryUserEntity>,
  ): Promise<DirectoryUserEntity> {
    await this.tenantLock.lockForUpdate(directory.tenantId);
    const record = await write(userId);
    await this.projection.addNewcomer(directory, userId);
    await this.events.emitWritten(null, record);
    return record;
  }

  /** Finds the account of a record, or creates it: before the tenant is locked. */
  private async findTarget(
    directory: DirectoryEntity,
    before: DirectoryUserEntity | null,
    attributes: Attributes,
  ): Promise<Target> {
    if (before?.accountId) return { userId: before.accountId, isMade: false };
    const bySubject = await this.people.findBySubject(directory, attributes);
    if (bySubject !== null) return { userId: bySubject, isMade: false };
    const email = addressOf(attributes);
    if (email === null) return { userId: null, email: null };
    const emailKey = canonicalEmail(email);
    if (!(await this.people.isVerified(directory, emailKey))) {
      const invited = await this.people.findInvited(directory, emailKey);
      return invited === null ? { userId: null, email } : { userId: invited, isMade: false };
    }
    const known = await this.accounts.findByEmailForShare(email);
    if (known) return { userId: known.id, isMade: false };
    if (attributes['active'] === false) return { userId: null, email: null };
    const created = await this.accounts.createVerified(email, firstNameOf(attributes));
    if (created === null) throw new Outdated();
    return { userId: created, isMade: true };
  }

  /**
   * Gives an account that the directory manages the address of its record, if the organization has
   * verified the domain: before the tenant is locked.
   */
  private async changeAddress(
    directory: DirectoryEntity,
    userId: UserId,
    attributes: Attributes,
  ): Promise<void> {
    const email = addressOf(attributes);
    if (email === null || !(await this.people.isVerified(directory, canonicalEmail(email)))) return;
    try {
      await this.addresses.changeByDirectory(userId, email, {
        tenantId: directory.tenantId,
        directoryId: directory.id,
      });
    } catch (error) {
      throw isUniqueViolation(error) ? new Outdated() : error;
    }
  }

  /** Gives an account that the directory made the first name of its record, if it has changed. */
  private async changeFirstName(
    { id }: DirectoryEntity,
    userId: UserId,
    before: Attributes,
    attributes: Attributes,
  ): Promise<void> {
    const [from, to] = [firstNameOf(before), firstNameOf(attributes)];
    if (to !== null && to !== from) await this.accounts.followFirstName(userId, { from, to }, id);
  }

  /** Revokes the invitation of a record that waits no more, or for another address. */
  private async withdrawInvitation(
    directory: DirectoryEntity,
    before: DirectoryUserEntity,
    now: DirectoryUserEntity,
  ): Promise<void> {
    const isWaiting = now.state === 'pending' && now.reason === 'unverified-domain';
    if (!isWaiting || now.emailKey !== before.emailKey)
      await this.projection.withdrawInvitation(directory, before);
  }

  private async lockDirectory({ tenantId, directoryId }: DirectoryScope): Promise<DirectoryEntity> {
    await this.tenantLock.lockForUpdate(tenantId);
    return (await this.directories.find(tenantId, directoryId)) ?? throwNotFound();
  }
}

const MAX_NAME = 100;

/** Returns the address of a person; null without one. */
function addressOf(attributes: Attributes): string | null {
  const email = primaryEmail(attributes) ?? attributes['userName'];
  return typeof email === 'string' && isEmailAddress(email) ? email : null;
}

function firstNameOf({ name }: Attributes): string | null {
  const given = isComplex(name) ? name['givenName'] : undefined;
  return typeof given === 'string' && given.trim() !== '' ? [...given].slice(0, MAX_NAME).join('') : null;
}

const outdated = () => new ScimError(409, null, 'The resource has changed. Read it again.');
