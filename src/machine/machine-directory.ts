import { Injectable } from '@nestjs/common';
import { type FindRole, holdsBy, type ScopePredicate } from '../ability/index.js';
import { MembershipDirectory } from '../iam/index.js';
import type { MachinePrincipal, OperatorRole, PlatformPrincipal, TenantId } from '../kernel/index.js';
import { ChangeFeed, LiveCache } from '../platform/live/index.js';
import { type LiveServiceAccount, ServiceAccountRepository } from './accounts/service-account.repository.js';
import type { LiveKey } from './keys/credential-directory.js';
import { refused } from './keys/live-key.js';
import { PlatformDirectory } from './platform/platform-directory.js';

/** A service account as it sees itself. */
export interface ServiceProfile {
  readonly id: string;
  /** Its organization; null for one of the platform. */
  readonly tenantId: TenantId | null;
  readonly name: string;
  readonly roles: string[];
  readonly createdAt: Date;
}

const ACCOUNTS_CHANNEL = 'gatehouse_service_accounts_changed';

/**
 * Caches service accounts and their roles, within the bounds of the {@link LiveCache}. With `lock`,
 * a method reads the database instead and locks the rows.
 */
@Injectable()
export class MachineDirectory {
  private readonly accounts: LiveCache<LiveServiceAccount>;

  constructor(
    private readonly repository: ServiceAccountRepository,
    private readonly members: MembershipDirectory,
    private readonly platform: PlatformDirectory,
    feed: ChangeFeed,
  ) {
    this.accounts = new LiveCache(feed, ACCOUNTS_CHANNEL, async (ids) => {
      const found = await this.repository.listLive(ids);
      return new Map(found.map((account) => [account.id, account]));
    });
  }

  async findRoles(accountId: string, tenantId: TenantId, lock: boolean): Promise<FindRole | null> {
    const account = await this.findActive(accountId, tenantId, lock);
    return account && this.findRolesOf(account, lock);
  }

  /** Returns what the roles of an account hold, also if it is disabled. Locks the account. */
  async findRolesPredicate(accountId: string, tenantId: TenantId): Promise<ScopePredicate | null> {
    const account = await this.repository.findLiveForShare(tenantId, accountId);
    return account && holdsBy(await this.findRolesOf(account, true));
  }

  /** Returns an account whose credentials are accepted; null if there is none. */
  async findActive(accountId: string, tenantId: TenantId, lock = false): Promise<LiveServiceAccount | null> {
    const account = lock
      ? await this.repository.findLiveForShare(tenantId, accountId)
      : await this.accounts.get(accountId);
    return account?.tenantId === tenantId && account.status === 'active' ? account : null;
  }

  /** Returns whether credentials of an account are accepted: it and its organization are active. */
  async isUsable(accountId: string, tenantId: TenantId): Promise<boolean> {
    return (await this.isOpen(tenantId)) && (await this.findActive(accountId, tenantId)) !== null;
  }

  /**
   * Requires that the owner of a key acts in the organization, which is not archived.
   * @throws {AppError} unauthenticated
   */
  async requireOwner({ tenantId, ownerKind, ownerId }: LiveKey): Promise<void> {
    const [isOpen, isActive] = await Promise.all([
      this.isOpen(tenantId),
      ownerKind === 'person' ? this.members.isMember(ownerId, tenantId) : this.findActive(ownerId, tenantId),
    ]);
    if (!isActive) throw refused('owner disabled or no member');
    if (!isOpen) throw refused('organization archived');
  }

  private async isOpen(tenantId: TenantId): Promise<boolean> {
    const state = await this.members.findState(tenantId, false);
    return state?.archived === false && !state.deletionStarted;
  }

  private async findRolesOf({ tenantId, roleIds }: LiveServiceAccount, lock: boolean): Promise<FindRole> {
    return (await this.members.getFindRole(tenantId, lock))(roleIds);
  }

  /** Returns what an account sees of itself; null if it is gone. */
  async findProfile({
    tenantId,
    userId,
  }: MachinePrincipal | PlatformPrincipal): Promise<ServiceProfile | null> {
    if (tenantId !== null) return this.repository.find(tenantId, userId);
    const account = await this.platform.find(userId);
    return account && { ...account, tenantId: null, roles: [account.role] };
  }

  findOperatorRole(accountId: string, lock: boolean): Promise<OperatorRole | null> {
    return this.platform.findRole(accountId, lock);
  }

  /** Invalidates accounts on every replica, after the commit. */
  async announce(...accountIds: string[]): Promise<void> {
    await this.accounts.announce(...accountIds);
  }
}
