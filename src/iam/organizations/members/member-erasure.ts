import { Injectable } from '@nestjs/common';
import { LOCK, type TenantId, type UserId } from '../../../kernel/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { RetiredSlugRepository } from '../tenants/retired-slug.repository.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantStateChanges } from '../tenants/tenant-state-changes.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { MemberChanges } from './member-changes.js';
import { MemberRoleRepository } from './member-role.repository.js';
import { MemberRepository } from './member.repository.js';

/** Gives organizations whose only owner leaves another one. */
@Injectable()
export class OwnerSuccession {
  constructor(
    private readonly members: MemberRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly changes: MemberChanges,
    private readonly tenants: TenantRepository,
    private readonly tenantChanges: TenantStateChanges,
  ) {}

  /**
   * Makes the admin with the earliest membership owner where the person is the only owner, and
   * archives the organizations that have no admin.
   */
  async promoteSuccessors(userId: UserId, tenantIds: readonly TenantId[]): Promise<void> {
    const soleOwners = await this.members.findSoleOwners(tenantIds);
    const owned = tenantIds.filter((tenantId) => soleOwners.get(tenantId) === userId);
    if (owned.length === 0) return;
    const successors = await this.members.findSeniors(owned, userId);
    await this.memberRoles.makeOwners(successors);
    await this.changes.record('member.became-owner', userId, ...successors);
    const succeeded = new Set(successors.map(({ tenantId }) => tenantId));
    const abandoned = owned.filter((tenantId) => !succeeded.has(tenantId));
    await this.tenants.archiveAll(abandoned);
    await this.tenantChanges.record('archived', userId, ...abandoned);
  }
}

/** Removes erased people from their organizations. */
@Injectable()
export class MemberErasure {
  constructor(
    private readonly succession: OwnerSuccession,
    private readonly changes: MemberChanges,
    private readonly tenants: TenantRepository,
    private readonly tenantLock: TenantLock,
    private readonly retiredSlugs: RetiredSlugRepository,
  ) {}

  /**
   * Removes an erased person from all organizations, under the locks of all of them. Where the
   * person was the only owner, the admin with the earliest membership becomes owner; without an
   * admin, the organization is archived, and its name removed if it has no other member.
   */
  @OnLifecycle('account.erased', { order: LOCK.tenants })
  async leaveAll({ userId }: { userId: UserId }): Promise<void> {
    await this.tenantLock.lockAllForUpdate(await this.tenants.findIdsOf(userId)); // lock order: all tenants before the first session
    const left = await this.tenants.findIdsOf(userId); // without those left before the lock
    const tenantIds = left.map((id) => this.tenantLock.requireLocked(id));
    if (tenantIds.length === 0) return;
    await this.succession.promoteSuccessors(userId, tenantIds);
    await this.changes.end(userId, userId, tenantIds);
    const deserted = await this.tenants.findDeserted(tenantIds);
    await this.retiredSlugs.retire(deserted);
    await this.tenants.forgetNames(deserted);
    const memberships = tenantIds.map((tenantId) => ({ tenantId, userId }));
    await this.changes.record('member.erased', userId, ...memberships);
  }
}
