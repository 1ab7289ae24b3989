import { Injectable } from '@nestjs/common';
import {
  AccountService,
  ErasureService,
  InvitationService,
  MemberService,
  SuspensionService,
} from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { LogoutService } from '../../session/index.js';
import { TenantDatabase } from '../../platform/database/index.js';
import type { DirectoryEntity } from '../directories/directory.entity.js';
import type { DirectoryUserEntity, RecordReason, RecordState } from '../records/user.entity.js';
import { PersonLookup } from './person-lookup.js';
import { DirectoryMembers } from './directory-members.js';
import { ManagedAccounts } from './managed-accounts.js';

/** The account of a record; without one, the address to invite. */
export type Target =
  | { readonly userId: UserId; readonly isMade: boolean }
  | { readonly userId: null; readonly email: string | null };

interface Change {
  readonly record: DirectoryUserEntity;
  readonly target: Target;
}

type Link = Pick<
  DirectoryUserEntity,
  'accountId' | 'state' | 'reason' | 'madeAccount' | 'suspendedAccount' | 'suspendedMember'
>;

/**
 * Derives a membership from a record: joins the open transaction, which holds the locks of account
 * and tenant.
 */
@Injectable()
export class MembershipProjection {
  constructor(
    private readonly tenants: TenantDatabase,
    private readonly accounts: AccountService,
    private readonly members: MemberService,
    private readonly invitations: InvitationService,
    private readonly suspensions: SuspensionService,
    private readonly erasures: ErasureService,
    private readonly logouts: LogoutService,
    private readonly people: PersonLookup,
    private readonly directoryMembers: DirectoryMembers,
    private readonly managed: ManagedAccounts,
  ) {}

  /** @returns the record with its link */
  async apply(directory: DirectoryEntity, { record, target }: Change): Promise<DirectoryUserEntity> {
    if (target.userId === null) return this.wait(directory, record, target.email);
    const { userId } = target;
    if (record.accountId === null && (await this.isLinkedOtherwise(directory, userId)))
      return this.link(record, 'refused', 'linked-otherwise');
    const account = await this.accounts.findForShare(userId);
    if (!account) return this.link(record, 'pending', 'no-address');
    const isSuspended = account.suspendedAt !== null;
    if (record.active && isSuspended && !record.suspendedAccount)
      return this.link(record, 'refused', 'account-suspended', record.accountId);
    const linked = await this.storeLink(record, {
      accountId: userId,
      state: 'linked',
      reason: null,
      madeAccount: record.madeAccount || target.isMade,
      suspendedAccount: record.suspendedAccount,
      suspendedMember: record.suspendedMember,
    });
    return record.active
      ? this.activate(directory, linked, userId)
      : this.deactivate(directory, linked, userId, isSuspended);
  }

  /** Adds the person of a new record whose account was created for it, who is in no group yet. */
  async addNewcomer({ tenantId, id }: DirectoryEntity, userId: UserId): Promise<void> {
    await this.members.addNewcomer(tenantId, id as UserId, userId, 'directory');
  }

  /** Ends the membership of a removed record. Its account, if managed, as the directory says. */
  async remove(directory: DirectoryEntity, record: DirectoryUserEntity): Promise<void> {
    const { accountId } = record;
    if (accountId === null) return this.withdrawInvitation(directory, record);
    const { tenantId, id } = directory;
    if (await this.members.find(tenantId, accountId))
      await this.members.remove(tenantId, id as UserId, accountId);
    await this.members.requireOwner(tenantId);
    if (!record.madeAccount || !(await this.managed.isOfTenantAlone(accountId, tenantId))) return;
    if (directory.onDelete === 'erase') await this.erasures.erase(accountId);
    else await this.suspensions.suspend(accountId);
  }

  /** Revokes the invitation that a record caused, which its person could else still accept. */
  async withdrawInvitation(
    { tenantId, id }: DirectoryEntity,
    { state, reason, emailKey }: DirectoryUserEntity,
  ): Promise<void> {
    if (state === 'pending' && reason === 'unverified-domain' && emailKey !== null)
      await this.invitations.revokeOpen(tenantId, id as UserId, emailKey);
  }

  /** Restores what the directory suspended, and not what an administrator or an operator did. */
  private async activate(
    directory: DirectoryEntity,
    record: DirectoryUserEntity,
    userId: UserId,
  ): Promise<DirectoryUserEntity> {
    const { tenantId, id } = directory;
    if (record.suspendedAccount) await this.suspensions.restore(userId);
    const member = await this.members.find(tenantId, userId);
    if (!member) await this.members.add(tenantId, userId, [], 'directory');
    else if (record.suspendedMember) await this.members.restore(tenantId, id as UserId, userId);
    await this.directoryMembers.syncRoles({ tenantId, directoryId: id }, [userId]);
    if (!record.suspendedAccount && !record.suspendedMember) return record;
    return this.storeLink(record, { ...record, suspendedAccount: false, suspendedMember: false });
  }

  private async deactivate(
    directory: DirectoryEntity,
    record: DirectoryUserEntity,
    userId: UserId,
    isAccountSuspended: boolean,
  ): Promise<DirectoryUserEntity> {
    const { tenantId, id } = directory;
    const suspendsMember = (await this.members.find(tenantId, userId))?.status === 'active';
    if (suspendsMember) {
      await this.members.suspend(tenantId, id as UserId, userId);
      await this.members.requireOwner(tenantId);
    }
    await this.logouts.endSessionsByConnections(userId, await this.people.connectionsOf(directory));
    const isManaged = record.madeAccount && (await this.managed.isOfTenantAlone(userId, tenantId));
    const suspendsAccount = isManaged && !isAccountSuspended;
    if (suspendsAccount) await this.suspensions.suspend(userId);
    if (!suspendsMember && !suspendsAccount) return record;
    return this.storeLink(record, {
      ...record,
      suspendedAccount: record.suspendedAccount || suspendsAccount,
      suspendedMember: record.suspendedMember || suspendsMember,
    });
  }

  /** Invites the person, who has no access before they accept. */
  private async wait(
    { tenantId, id: directoryId }: DirectoryEntity,
    record: DirectoryUserEntity,
    email: string | null,
  ): Promise<DirectoryUserEntity> {
    if (!record.active) {
      if (record.emailKey !== null)
        await this.invitations.revokeOpen(tenantId, directoryId as UserId, record.emailKey);
      return this.link(record, 'pending', 'inactive');
    }
    if (email === null) return this.link(record, 'pending', 'no-address');
    await this.invitations.inviteAsMember(tenantId, directoryId as UserId, email);
    return this.link(record, 'pending', 'unverified-domain');
  }

  private link(
    record: DirectoryUserEntity,
    state: RecordState,
    reason: RecordReason,
    accountId: UserId | null = null,
  ): Promise<DirectoryUserEntity> {
    const { madeAccount, suspendedAccount, suspendedMember } = record;
    return this.storeLink(record, {
      accountId,
      state,
      reason,
      madeAccount,
      suspendedAccount,
      suspendedMember,
    });
  }

  private async storeLink(record: DirectoryUserEntity, link: Link): Promise<DirectoryUserEntity> {
    const { tenantId, directoryId, id } = record;
    await this.tenants.rows(
      tenantId,
      `UPDATE directory_users SET account_id = $4, state = $5, reason = $6, made_account = $7, suspended_account = $8, suspended_member = $9
       WHERE tenant_id = $1 AND directory_id = $2 AND id = $3`,
      [
        directoryId,
        id,
        link.accountId,
        link.state,
        link.reason,
        link.madeAccount,
        link.suspendedAccount,
        link.suspendedMember,
      ],
    );
    return { ...record, ...link };
  }

  private async isLinkedOtherwise({ tenantId, id }: DirectoryEntity, userId: UserId): Promise<boolean> {
    const sql =
      'SELECT 1 FROM directory_users WHERE tenant_id = $1 AND directory_id = $2 AND account_id = $3';
    return (await this.tenants.row(tenantId, sql, [id, userId])) !== null;
  }
}
