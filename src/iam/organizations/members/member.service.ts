import { Injectable } from '@nestjs/common';
import { AppError } from '../../../platform/errors/index.js';
import type { Page } from '../../../platform/api/index.js';
import type { Principal, TenantId, UserId } from '../../../kernel/index.js';
import { Lifecycle, OnLifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { RoleService } from '../roles/role.service.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { MemberRepository, type Member, type Membership } from './member.repository.js';
import { MembershipDirectory } from './membership-directory.js';

/** Manages the members of an organization. The caller has checked the permission before. */
@Injectable()
export class MemberService {
  constructor(
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly roleService: RoleService,
    private readonly tenants: TenantRepository,
    private readonly tenantLock: TenantLock,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  list(tenantId: TenantId, page: Page): Promise<Member[]> {
    return this.members.list(tenantId, page);
  }

  hasEmail(tenantId: TenantId, emailKey: string): Promise<boolean> {
    return this.members.hasEmail(tenantId, emailKey);
  }

  /**
   * Replaces the roles of a member.
   * @param keys keys of the new roles
   * @throws {AppError} validation-error on `roles[n]` for a role that the caller cannot give;
   *   not-found if the person is not a member
   */
  async changeRoles(
    tenantId: TenantId,
    caller: Principal,
    userId: UserId,
    keys: readonly string[],
  ): Promise<Member> {
    const roles = await this.roleService.requireGivableRoles(tenantId, caller, keys);
    await this.members.replaceRoles(
      tenantId,
      userId,
      roles.map(({ id }) => id),
    );
    await this.recordChange('member.roles-changed', caller.userId, { tenantId, userId });
    const member = await this.members.find(tenantId, userId);
    if (!member) throw new AppError('not-found');
    return member;
  }

  /** Removes a member and ends the person's tokens for this tenant. */
  async remove(tenantId: TenantId, actorId: UserId, userId: UserId): Promise<void> {
    await this.deleteMemberships(userId, [tenantId]);
    await this.recordChange('member.removed', actorId, { tenantId, userId });
  }

  /** Removes the caller as {@link remove} does, by their own decision. */
  async leave(tenantId: TenantId, userId: UserId): Promise<void> {
    await this.deleteMemberships(userId, [tenantId]);
    await this.recordChange('member.left', userId, { tenantId, userId });
  }

  /** @returns false if the person is a member already */
  async add(tenantId: TenantId, userId: UserId, roleIds: readonly string[]): Promise<boolean> {
    const added = await this.members.insert(tenantId, userId, roleIds);
    if (added) await this.recordChange('member.joined', userId, { tenantId, userId });
    return added;
  }

  /**
   * Removes an erased person from all organizations, under the locks of all of them. Where the
   * person was the only owner, the admin with the earliest membership becomes owner; without an
   * admin, the organization is archived, and its name removed if it has no other member.
   */
  @OnLifecycle('account.erased')
  async leaveAll({ userId }: { userId: UserId }): Promise<void> {
    await this.tenantLock.lockForUpdate(...(await this.tenants.findIdsOf(userId))); // lock order: all tenants before the first session
    const tenantIds = await this.tenants.findIdsOf(userId); // without those left before the lock
    if (tenantIds.length === 0) return;
    await this.promoteSuccessors(userId, tenantIds);
    await this.deleteMemberships(userId, tenantIds);
    await this.tenants.forgetNamesOfDeserted(tenantIds);
    const memberships = tenantIds.map((tenantId) => ({ tenantId, userId }));
    await this.recordChange('member.erased', userId, ...memberships);
  }

  private async deleteMemberships(userId: UserId, tenantIds: readonly TenantId[]): Promise<void> {
    await this.members.remove(tenantIds, userId);
    await this.lifecycle.emit('memberships.ended', { userId, tenantIds });
  }

  private async promoteSuccessors(userId: UserId, tenantIds: readonly TenantId[]): Promise<void> {
    const soleOwners = await this.members.findSoleOwners(tenantIds);
    const owned = tenantIds.filter((tenantId) => soleOwners.get(tenantId) === userId);
    if (owned.length === 0) return;
    const successors = await this.members.findSeniors(owned, userId);
    await this.members.makeOwners(successors);
    await this.recordChange('member.became-owner', userId, ...successors);
    const succeeded = new Set(successors.map(({ tenantId }) => tenantId));
    await this.archive(
      userId,
      owned.filter((tenantId) => !succeeded.has(tenantId)),
    );
  }

  private async archive(actorId: UserId, tenantIds: readonly TenantId[]): Promise<void> {
    await this.tenants.archiveAll(tenantIds);
    await this.directory.announceTenants(...tenantIds);
    const archived = (tenantId: TenantId) => ({
      actorId,
      tenantId,
      action: 'tenant.archived',
      subject: `iam/tenants/${tenantId}`,
    });
    await this.audit.record(...tenantIds.map(archived));
  }

  private async recordChange(action: string, actorId: UserId, ...memberships: Membership[]): Promise<void> {
    const event = ({ tenantId, userId }: Membership) => ({
      actorId,
      tenantId,
      action,
      subject: `iam/members/${userId}`,
    });
    await this.audit.record(...memberships.map(event));
    await this.directory.announceMemberships(...memberships);
  }
}
