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

/** The members of an organization. Whether a change is allowed has been decided before. */
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

  /** @throws {AppError} validation-error on `roles[n]` for a role that the caller cannot give */
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

  /** Ends a membership, and with it the person's tokens for this tenant. */
  async remove(tenantId: TenantId, actorId: UserId, userId: UserId): Promise<void> {
    await this.deleteMemberships(userId, [tenantId]);
    await this.recordChange('member.removed', actorId, { tenantId, userId });
  }

  /** The same, by the person. */
  async leave(tenantId: TenantId, userId: UserId): Promise<void> {
    await this.deleteMemberships(userId, [tenantId]);
    await this.recordChange('member.left', userId, { tenantId, userId });
  }

  /** Adds a person. Answers false for who is a member already. */
  async add(tenantId: TenantId, userId: UserId, roleIds: readonly string[]): Promise<boolean> {
    const added = await this.members.insert(tenantId, userId, roleIds);
    if (added) await this.recordChange('member.joined', userId, { tenantId, userId });
    return added;
  }

  /**
   * Takes an erased person out of every organization. Where they were the only owner, the longest-standing admin follows; where there is
   * none, the organization is archived, and without a name if nobody else is in it. All organizations at once: their locks are held meanwhile.
   */
  @OnLifecycle('account.erased')
  async leaveAll({ userId }: { userId: UserId }): Promise<void> {
    await this.tenantLock.lockForUpdate(...(await this.tenants.findIdsOf(userId))); // all of them before the first session
    const tenantIds = await this.tenants.findIdsOf(userId); // who was removed meanwhile has left already
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
