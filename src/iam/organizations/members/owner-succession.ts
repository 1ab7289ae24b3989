import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
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
