import { Injectable } from '@nestjs/common';
import type { Locked, Principal, TenantId, UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { toEnd } from '../ends/end-of-access.js';
import { RoleService } from '../roles/role.service.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import type { ChangeMemberDto, RoleUntil } from './member.dto.js';
import { MemberChanges } from './member-changes.js';
import type { Membership, MemberSource } from './member.entity.js';
import { MemberRoleRepository, type RolesOfMember } from './member-role.repository.js';
import { type Member, MemberRepository } from './member.repository.js';
import { LastOwnerError } from './member.service.js';
import { MembershipDirectory } from './membership-directory.js';

/** Changes what a membership gives, and until when. The caller has checked the permission. */
@Injectable()
export class MemberRoleService {
  constructor(
    private readonly members: MemberRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly changes: MemberChanges,
    private readonly directory: MembershipDirectory,
    private readonly roles: RoleService,
    private readonly tenantLock: TenantLock,
  ) {}

  /**
   * Changes the roles of a member that were given by hand, or the end of the membership.
   * @param changes a role that is named by its key keeps the end that it has
   * @throws {AppError} validation-error on `roles[n]` for a role that the caller cannot give, and
   *   for an end in the past; not-found if the person is not a member;
   *   insufficient-user-authentication to make an owner
   */
  async change(
    tenantId: TenantId,
    caller: Principal,
    userId: UserId,
    { roles, until }: ChangeMemberDto,
  ): Promise<Member> {
    if (roles === undefined && until === undefined)
      throw AppError.violation('roles', { id: 'member.no-change' });
    if (roles !== undefined) await this.changeRoles(tenantId, caller, userId, roles);
    if (until !== undefined && (await this.members.setEnd(tenantId, userId, toEnd(until))))
      await this.changes.record('member.end-changed', caller.userId, { tenantId, userId });
    return this.get(tenantId, userId);
  }

  /**
   * Gives a member a role in the whole organization until a time, besides those that they have.
   * @throws {AppError} validation-error for a role that the caller cannot give
   */
  async giveRole(
    tenantId: TenantId,
    caller: Principal,
    userId: UserId,
    roleKey: string,
    until: Date,
  ): Promise<void> {
    const [role] = await this.roles.requireGivableRoles(tenantId, caller, [roleKey], () => 'role');
    if (!role) return;
    await this.memberRoles.giveUntil(tenantId, userId, role.id, until);
    await this.changes.record('member.roles-changed', caller.userId, { tenantId, userId });
  }

  private async changeRoles(
    tenantId: TenantId,
    caller: Principal,
    userId: UserId,
    given: readonly (string | RoleUntil)[],
  ): Promise<void> {
    const ends = new Map(
      given.map((role, n) =>
        typeof role === 'string'
          ? [role, undefined]
          : [role.key, toEnd(role.until ?? null, `roles[${n}].until`)],
      ),
    );
    const roles = await this.roles.requireGivableRoles(tenantId, caller, [...ends.keys()]);
    const { roles: held } = await this.get(tenantId, userId);
    const added = roles.filter(({ key }) => !held.includes(key));
    await this.roles.requireSignInToGive(caller, added);
    const desired = roles.map(({ id, key }) => ({ id, until: ends.get(key) }));
    await this.memberRoles.replace(tenantId, userId, desired);
    await this.changes.record('member.roles-changed', caller.userId, { tenantId, userId });
  }

  /**
   * Replaces the roles that a source gave to members.
   * @throws {LastOwnerError} if the tenant would have no owner
   */
  async replaceRolesOfSource(
    tenantId: Locked<TenantId>,
    actorId: UserId,
    desired: readonly RolesOfMember[],
    source: MemberSource,
  ): Promise<void> {
    const changed = await this.memberRoles.replaceOfSource(tenantId, desired, source);
    if (changed.length === 0) return;
    if (!(await this.members.hasOwner(tenantId))) throw new LastOwnerError();
    const memberships = changed.map((userId) => ({ tenantId, userId }));
    await this.changes.record('member.roles-changed', actorId, ...memberships);
  }

  /**
   * Gives a member the roles of a source, as {@link replaceRolesOfSource} does, where they differ.
   * Locks the tenant then. The last owner stays one.
   */
  async syncRoles(
    { tenantId, userId }: Membership,
    actorId: UserId,
    roleIds: readonly string[],
    source: MemberSource,
  ): Promise<void> {
    const current = await this.memberRoles.findIdsOfSource(tenantId, userId, source);
    if (current.join() === [...new Set(roleIds)].toSorted().join()) return;
    const locked = await this.tenantLock.lockForUpdate(tenantId);
    if (await this.directory.isLastOwner(userId, tenantId, true)) return;
    await this.replaceRolesOfSource(locked, actorId, [{ userId, roleIds }], source);
  }

  /** Makes the roles that a source gave to members roles that administrators change. */
  adoptRoles(tenantId: TenantId, userIds: readonly UserId[], source: MemberSource): Promise<void> {
    return this.memberRoles.adopt(tenantId, userIds, source);
  }

  private async get(tenantId: TenantId, userId: UserId): Promise<Member> {
    return (await this.members.find(tenantId, userId)) ?? AppError.notFound();
  }
}
