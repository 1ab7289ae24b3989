import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/index.js';
import type { Page, TenantId, UserId } from '../../platform/http/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleRepository } from '../roles/role.repository.js';
import { RoleService } from '../roles/role.service.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { MemberRepository, type Member } from './member.repository.js';
import { MembershipDirectory } from './membership-directory.js';

/** The members of an organization. Whether a change is allowed has been decided before. */
@Injectable()
export class MemberService {
  constructor(
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly roles: RoleRepository,
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
    actorId: UserId,
    userId: UserId,
    keys: readonly string[],
  ): Promise<Member> {
    const roles = await this.roleService.requireGivableRoles(tenantId, actorId, keys);
    await this.members.replaceRoles(
      tenantId,
      userId,
      roles.map(({ id }) => id),
    );
    await this.changed(tenantId, actorId, userId, 'member.roles-changed');
    const member = await this.members.find(tenantId, userId);
    if (!member) throw new AppError('not-found');
    return member;
  }

  /** Ends a membership, and with it the person's tokens for this tenant. */
  async remove(tenantId: TenantId, actorId: UserId, userId: UserId): Promise<void> {
    await this.end(tenantId, userId);
    await this.changed(tenantId, actorId, userId, 'member.removed');
  }

  /** The same, by the person. */
  async leave(tenantId: TenantId, userId: UserId): Promise<void> {
    await this.end(tenantId, userId);
    await this.changed(tenantId, userId, userId, 'member.left');
  }

  /** Adds a person. Answers false for who is a member already. */
  async add(tenantId: TenantId, userId: UserId, roleIds: readonly string[]): Promise<boolean> {
    const added = await this.members.insert(tenantId, userId, roleIds);
    if (added) await this.changed(tenantId, userId, userId, 'member.joined');
    return added;
  }

  /**
   * Takes an erased person out of every organization. Where they were the only owner, the longest-standing admin follows; where there is
   * none, the organization is archived, and without a name if nobody else is in it.
   */
  @OnLifecycle('account.erased')
  async leaveAll({ userId }: { userId: UserId }): Promise<void> {
    const tenantIds = await this.tenants.listIdsOf(userId);
    for (const tenantId of tenantIds) await this.tenantLock.takeOf(tenantId); // all of them before the first session
    for (const tenantId of tenantIds) {
      const [member] = await this.members.findJudged(tenantId, [userId], true);
      if (member?.isLastOwner === true) await this.succeed(tenantId, userId);
      await this.end(tenantId, userId);
      await this.tenants.forgetNameOfDeserted(tenantId);
      await this.changed(tenantId, userId, userId, 'member.erased');
    }
  }

  private async end(tenantId: TenantId, userId: UserId): Promise<void> {
    await this.members.remove(tenantId, userId);
    await this.lifecycle.emit('membership.ended', { tenantId, userId });
  }

  private async succeed(tenantId: TenantId, userId: UserId): Promise<void> {
    const successor = await this.members.findSenior(tenantId, userId);
    if (successor) {
      const owner = await this.roles.findByKeys(tenantId, [OWNER]);
      await this.members.addRoles(
        tenantId,
        successor,
        owner.map(({ id }) => id),
      );
      await this.changed(tenantId, userId, successor, 'member.became-owner');
      return;
    }
    await this.tenants.setArchived(tenantId, true);
    await this.directory.tenantChanged(tenantId);
    await this.audit.record({
      actorId: userId,
      tenantId,
      action: 'tenant.archived',
      subject: `iam/tenants/${tenantId}`,
    });
  }

  private async changed(tenantId: TenantId, actorId: UserId, userId: UserId, action: string): Promise<void> {
    await this.audit.record({ actorId, tenantId, action, subject: `iam/members/${userId}` });
    await this.directory.membershipChanged(tenantId, userId);
  }
}
