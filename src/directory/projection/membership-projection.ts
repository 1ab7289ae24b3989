import { Injectable } from '@nestjs/common';
import { AccountService, InvitationService } from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { DirectoryWorkers, type NumberFault } from '../../frontline/index.js';
import type { DirectoryEntity } from '../directories/directory.entity.js';
import type { DirectoryUserEntity, RecordReason, RecordState } from '../records/record.entity.js';
import { UserRecordRepository } from '../records/user-record.repository.js';
import { addressOf, numberOf } from '../scim/attributes.js';
import { DirectoryMembers } from './directory-members.js';
import { ManagedAccounts } from './managed-accounts.js';

/** The account of a record; without one, the address to invite, or why there is none. */
export type Target =
  | { readonly userId: UserId; readonly isMade: boolean }
  | { readonly userId: null; readonly email: string }
  | { readonly userId: null; readonly email: null; readonly reason: RecordReason };

interface Change {
  readonly record: DirectoryUserEntity;
  readonly target: Target;
}

/** A concurrent request was first to give a number to another person. */
export class NumberTaken extends Error {}

/** A directory whose organization is locked. */
export interface LockedDirectory extends DirectoryEntity {
  readonly tenantId: Locked<TenantId>;
}

/** Derives a membership from a record. */
@Injectable()
export class MembershipProjection {
  constructor(
    private readonly users: UserRecordRepository,
    private readonly accounts: AccountService,
    private readonly managed: ManagedAccounts,
    private readonly members: DirectoryMembers,
    private readonly workers: DirectoryWorkers,
    private readonly invitations: InvitationService,
  ) {}

  /** @returns the record with its link */
  async apply(directory: LockedDirectory, { record, target }: Change): Promise<DirectoryUserEntity> {
    if (target.userId === null) return this.wait(directory, record, target);
    const { userId } = target;
    if (record.accountId === null && (await this.users.isLinked(record, userId)))
      return this.link(record, 'refused', 'linked-otherwise');
    const account = await this.accounts.findForShare(userId);
    if (!account) return this.link(record, 'pending', 'no-address');
    const isSuspended = account.suspendedAt !== null;
    const isRestored = record.active && isSuspended;
    if (isRestored) {
      const reason = await this.managed.restore(record, userId);
      if (reason !== null) return this.link(record, 'refused', reason, record.accountId);
    }
    // An account that directories have suspended is one that they manage.
    const madeAccount = record.madeAccount || target.isMade || isRestored;
    const isWorker = directory.withoutAddress === 'worker' && addressOf(record.attributes) === null;
    const isNumbered = isWorker && madeAccount && record.active;
    const reason = isNumbered ? await this.findNumberFault(record, userId) : null;
    if (reason !== null && target.isMade) throw new NumberTaken();
    const linked = await this.users.setLink(record, {
      accountId: userId,
      state: 'linked',
      reason,
      madeAccount,
    });
    if (record.active) {
      await this.members.activate(directory.tenantId, directory.id as UserId, userId);
      if (isNumbered && reason === null) await this.giveNumber(directory, record, userId);
    } else await this.deactivate(directory, linked, account.id, isSuspended);
    return linked;
  }

  /**
   * Adds the person of a new record whose account was created for it, as most requests of a first
   * synchronization do: no other transaction sees the account, which has no other record, group or
   * role. The lock of the tenant is held for as few statements as possible: creations of one
   * organization wait for each other.
   * @throws {NumberTaken} for a person without an address, if a concurrent request was first
   */
  async addNewcomer(
    directory: LockedDirectory,
    record: DirectoryUserEntity,
    userId: UserId,
  ): Promise<DirectoryUserEntity> {
    const { tenantId, id } = directory;
    const isWorker = addressOf(record.attributes) === null;
    if (isWorker && (await this.findNumberFault(record, userId)) !== null) throw new NumberTaken();
    await this.members.addNewcomer(tenantId, id as UserId, userId);
    if (isWorker) await this.giveNumber(directory, record, userId);
    return record;
  }

  private findNumberFault(
    { tenantId, attributes }: DirectoryUserEntity,
    userId: UserId,
  ): Promise<NumberFault | null> {
    return this.workers.findFault(tenantId, numberOf(attributes), userId);
  }

  private giveNumber(
    { tenantId, id }: LockedDirectory,
    { attributes }: DirectoryUserEntity,
    userId: UserId,
  ): Promise<void> {
    return this.workers.giveNumber(tenantId, id as UserId, userId, numberOf(attributes));
  }

  /** Ends the membership of a removed record. Its account, if managed, as the directory says. */
  async remove(directory: LockedDirectory, record: DirectoryUserEntity): Promise<void> {
    const { accountId } = record;
    if (accountId === null) return this.withdrawInvitation(directory, record);
    const { tenantId, id } = directory;
    const number = await this.workers.findNumber(tenantId, accountId);
    await this.members.remove(tenantId, id as UserId, accountId);
    if (!record.madeAccount || !(await this.managed.isOnlyOf(accountId, tenantId))) return;
    if (directory.onDelete === 'erase') await this.managed.erase(accountId);
    else if ((await this.accounts.findForShare(accountId))?.suspendedAt === null)
      await this.managed.suspend(tenantId, accountId, number);
  }

  /** Revokes the invitation that a record caused, which its person could else still accept. */
  async withdrawInvitation(
    { tenantId, id }: LockedDirectory,
    { state, reason, emailKey }: DirectoryUserEntity,
  ): Promise<void> {
    if (state === 'pending' && reason === 'unverified-domain' && emailKey !== null)
      await this.invitations.revokeOpen(tenantId, id as UserId, emailKey);
  }

  private async deactivate(
    { tenantId, id }: LockedDirectory,
    { madeAccount }: DirectoryUserEntity,
    userId: Locked<UserId>,
    isSuspended: boolean,
  ): Promise<void> {
    await this.members.suspend(tenantId, id as UserId, userId);
    await this.managed.signOut(tenantId, userId);
    if (!isSuspended && madeAccount && (await this.managed.isOnlyOf(userId, tenantId)))
      await this.managed.suspend(tenantId, userId, await this.workers.findNumber(tenantId, userId));
  }

  /** Invites a person with an address, who has no access before they accept. */
  private async wait(
    { tenantId, id: directoryId }: LockedDirectory,
    record: DirectoryUserEntity,
    target: Extract<Target, { userId: null }>,
  ): Promise<DirectoryUserEntity> {
    if (!record.active) {
      if (record.emailKey !== null)
        await this.invitations.revokeOpen(tenantId, directoryId as UserId, record.emailKey);
      return this.link(record, 'pending', 'inactive');
    }
    if (target.email === null) return this.link(record, 'pending', target.reason);
    const { email } = target;
    const outcome = await this.invitations.inviteForOwner(
      tenantId,
      directoryId as UserId,
      email,
      ['member'],
      false,
    );
    return this.link(record, 'pending', outcome === 'limited' ? 'invitation-waits' : 'unverified-domain');
  }

  private link(
    record: DirectoryUserEntity,
    state: RecordState,
    reason: RecordReason,
    accountId: UserId | null = null,
  ): Promise<DirectoryUserEntity> {
    return this.users.setLink(record, { accountId, state, reason, madeAccount: record.madeAccount });
  }
}
