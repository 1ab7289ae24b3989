import { Injectable } from '@nestjs/common';
import { AssignmentService, MemberRoleService, MemberService, TenantLock } from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { UserRecordRepository } from '../records/user-record.repository.js';
import { DirectorySuspensionRepository } from './directory-suspension.repository.js';

/** Members of directories, with the roles that their groups and the rules give them. */
@Injectable()
export class DirectoryMembers {
  constructor(
    private readonly users: UserRecordRepository,
    private readonly members: MemberService,
    private readonly marks: DirectorySuspensionRepository,
    private readonly memberRoles: MemberRoleService,
    private readonly assignments: AssignmentService,
    private readonly tenantLock: TenantLock,
  ) {}

  /**
   * Adds a member, or restores one whom directories have suspended, and not one whom an
   * administrator has.
   */
  async activate(tenantId: Locked<TenantId>, directoryId: UserId, userId: UserId): Promise<void> {
    const member = await this.members.find(tenantId, userId);
    if (!member) await this.members.add(tenantId, userId, [], { source: 'directory' });
    else if (member.status === 'suspended' && (await this.marks.remove(tenantId, userId, 'member')))
      await this.members.restore(tenantId, directoryId, userId);
    await this.syncRoles({ tenantId, directoryId }, [userId]);
  }

  /** Adds a person whose account was created in the open transaction, who is in no group yet. */
  async addNewcomer(tenantId: Locked<TenantId>, directoryId: UserId, userId: UserId): Promise<void> {
    await this.members.addNewcomer(tenantId, directoryId, userId, 'directory');
  }

  /** @throws {LastOwnerError} for the last owner */
  async suspend(tenantId: Locked<TenantId>, directoryId: UserId, userId: UserId): Promise<void> {
    if ((await this.members.find(tenantId, userId))?.status !== 'active') return;
    await this.members.suspend(tenantId, directoryId, userId);
    await this.members.requireOwner(tenantId);
    await this.marks.mark(tenantId, userId, 'member');
  }

  /** @throws {LastOwnerError} for the last owner */
  async remove(tenantId: Locked<TenantId>, directoryId: UserId, userId: UserId): Promise<void> {
    if (await this.members.find(tenantId, userId)) await this.members.remove(tenantId, directoryId, userId);
    await this.members.requireOwner(tenantId);
  }

  /** Gives members the roles of their groups. Roles of other sources stay. */
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

  /** Gives the members of records the roles of their groups. */
  async syncRolesOfRecords(scope: DirectoryScope, recordIds: readonly string[]): Promise<void> {
    await this.syncRoles(scope, await this.users.findAccounts(scope, recordIds));
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
