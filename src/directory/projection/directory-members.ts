import { Injectable } from '@nestjs/common';
import { AssignmentService, MemberRoleService, TenantLock } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { UserRecordRepository } from '../records/user-record.repository.js';

/** Derives the roles of members from the groups of directories and their rules. */
@Injectable()
export class DirectoryMembers {
  constructor(
    private readonly users: UserRecordRepository,
    private readonly memberRoles: MemberRoleService,
    private readonly assignments: AssignmentService,
    private readonly tenantLock: TenantLock,
  ) {}

  /**
   * Gives members the roles of their groups. Roles of other sources stay.
   */
  async syncRoles({ tenantId, directoryId }: DirectoryScope, userIds: readonly UserId[]): Promise<void> {
    if (userIds.length === 0) return;
    const desired = await this.users.findRolesByRules(tenantId, userIds);
    const locked = this.tenantLock.requireLocked(tenantId);
    const actorId = directoryId as UserId;
    await this.memberRoles.replaceRolesOfSource(locked, actorId, desired, 'directory');
    const assigned = desired.filter(({ onThings, isAssigned }) => onThings !== null || isAssigned);
    if (assigned.length === 0) return;
    const wanted = assigned.flatMap(({ onThings }) => onThings ?? []);
    const assignedIds = assigned.map(({ userId }) => userId);
    await this.assignments.replaceRuled(locked, actorId, assignedIds, wanted);
  }

  /**
   * Leaves the roles of a directory that is being deleted to administrators, except those of people
   * whom another directory of the organization has sent as well.
   */
  async release(scope: DirectoryScope): Promise<void> {
    const userIds = await this.users.findAccountsOfOnly(scope);
    await this.memberRoles.adoptRoles(scope.tenantId, userIds, 'directory');
    await this.assignments.adoptRuled(scope.tenantId, userIds);
  }
}
