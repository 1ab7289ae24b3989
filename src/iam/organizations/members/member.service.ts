import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid } from '../../../ability/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { isUlid, type Locked, type TenantId, type UserId } from '../../../kernel/index.js';
import { MEMBER } from '../roles/role-scopes.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import type { MemberSource } from './member.entity.js';
import { MemberChanges } from './member-changes.js';
import { MemberRoleRepository, type RoleToGive } from './member-role.repository.js';
import { type Member, MemberRepository, type NamedOwner } from './member.repository.js';
import { MembershipDirectory } from './membership-directory.js';

/** A change would leave an organization without an owner. */
export class LastOwnerError extends Error {}

/** Manages the members of an organization. The caller has checked the permission before. */
@Injectable()
export class MemberService {
  constructor(
    private readonly members: MemberRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly changes: MemberChanges,
    private readonly directory: MembershipDirectory,
    private readonly tenants: TenantRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  /** @throws {AppError} not-found if the person is not a member */
  async get(tenantId: TenantId, userId: UserId): Promise<Member> {
    return (await this.members.find(tenantId, userId)) ?? AppError.notFound();
  }

  /** Returns the member; null if the person is none. */
  find(tenantId: TenantId, userId: UserId): Promise<Member | null> {
    return this.members.find(tenantId, userId);
  }

  /** Returns active owners, in order of id. */
  listOwners(tenantId: TenantId, limit: number): Promise<NamedOwner[]> {
    return this.members.listOwners(tenantId, limit);
  }

  /** Returns the ids of active members. */
  listActiveIds(tenantId: TenantId, limit: number): Promise<UserId[]> {
    return this.members.listActiveIds(tenantId, limit);
  }

  /** Returns which people are members with access now. */
  findActiveIds(tenantId: TenantId, userIds: readonly string[]): Promise<UserId[]> {
    return this.members.findActiveIds(tenantId, userIds);
  }

  hasEmail(tenantId: TenantId, emailKey: string): Promise<boolean> {
    return this.members.hasEmail(tenantId, emailKey);
  }

  /**
   * Suspends a membership: it stays with its roles, and the person's tokens for the tenant end.
   */
  async suspend(tenantId: Locked<TenantId>, actorId: UserId, userId: UserId): Promise<Member> {
    if (await this.members.setStatus(tenantId, userId, 'suspended'))
      await this.changes.suspend(tenantId, actorId, userId);
    return this.get(tenantId, userId);
  }

  /** Ends the suspension of a membership. The person selects the tenant again. */
  async restore(tenantId: TenantId, actorId: UserId, userId: UserId): Promise<Member> {
    if (await this.members.setStatus(tenantId, userId, 'active'))
      await this.changes.record('member.restored', actorId, { tenantId, userId });
    return this.get(tenantId, userId);
  }

  /** @throws {LastOwnerError} if the tenant has no active owner: the caller rolls back */
  async requireOwner(tenantId: TenantId): Promise<void> {
    if (!(await this.members.hasOwner(tenantId))) throw new LastOwnerError();
  }

  /** Returns whether the person is a member of a tenant, other than the given one. */
  async isInAnyTenant(userId: UserId, except: TenantId): Promise<boolean> {
    return (await this.tenants.findIdsOf(userId)).some((id) => id !== except);
  }

  /** Removes a member and ends the person's tokens for this tenant. */
  async remove(tenantId: Locked<TenantId>, actorId: UserId, userId: UserId): Promise<void> {
    await this.changes.end(actorId, userId, [tenantId]);
    await this.changes.record('member.removed', actorId, { tenantId, userId });
  }

  /**
   * Removes a member whose end has passed.
   * @returns whether it has
   */
  async removeIfEnded(tenantId: Locked<TenantId>, userId: UserId): Promise<boolean> {
    if (!(await this.members.isEnded(tenantId, userId))) return false;
    await this.changes.end(userId, userId, [tenantId]);
    await this.changes.record('membership.expired', userId, { tenantId, userId });
    return true;
  }

  /** Removes the caller as {@link remove} does, by their own decision. */
  async leave(tenantId: Locked<TenantId>, userId: UserId): Promise<void> {
    await this.changes.end(userId, userId, [tenantId]);
    await this.changes.record('member.left', userId, { tenantId, userId });
  }

  /**
   * Ends a membership of the caller, who need not have selected the tenant: it may refuse their
   * sign-in.
   * @throws {AppError} not-found without a membership; forbidden for the last owner
   */
  leaveUnentered(tenantId: TenantId, userId: UserId): Promise<void> {
    if (!isUlid(tenantId)) throw new AppError('not-found');
    return this.tenantLock.underLock(tenantId, async (locked) => {
      const isMember = await this.directory.isMemberUncached(userId, tenantId);
      const state = await this.directory.findState(tenantId, true);
      if (!isMember || state?.deletionStarted !== false) throw new AppError('not-found');
      if (await this.directory.isLastOwner(userId, tenantId, true))
        throw denialError(denyByState(forbid('tenant.last-owner-leaves')));
      await this.leave(locked, userId);
    });
  }

  /**
   * Adds a person with roles, and ends the invitations of the person's address.
   * @param by where the roles come from, by default an administrator; and the actor, by default the
   *   person
   * @returns false if the person is a member already
   */
  async add(
    tenantId: Locked<TenantId>,
    userId: UserId,
    roleIds: readonly string[],
    {
      source = 'manual',
      actorId = userId,
    }: { readonly source?: MemberSource; readonly actorId?: UserId } = {},
  ): Promise<boolean> {
    const insert = () => this.members.insert(tenantId, userId, roleIds, source);
    const added = (await insert()) || ((await this.removeIfEnded(tenantId, userId)) && (await insert()));
    if (!added) return false;
    await this.changes.endInvitations(actorId, userId, [tenantId]);
    await this.changes.record('member.joined', actorId, { tenantId, userId });
    return true;
  }

  /** Gives a membership and its roles ends, in the transaction that adds it. */
  async setEnds(
    tenantId: Locked<TenantId>,
    userId: UserId,
    until: Date | null,
    roles: readonly RoleToGive[],
  ): Promise<void> {
    if (until !== null) await this.members.setEnd(tenantId, userId, until);
    if (roles.some((role) => role.until)) await this.memberRoles.replace(tenantId, userId, roles);
  }

  /** Returns whether the tenant has an owner, also a suspended one. */
  hasAnyOwner(tenantId: TenantId): Promise<boolean> {
    return this.members.hasAnyOwner(tenantId);
  }

  /**
   * Adds a person whose account was created in the open transaction, with the role of a member.
   * Announces nothing: no replica knows the account yet, and an organization has the same owners as
   * before.
   */
  async addNewcomer(
    tenantId: Locked<TenantId>,
    actorId: UserId,
    userId: UserId,
    source: MemberSource,
  ): Promise<void> {
    const isGiven = await this.members.insertWithRole(tenantId, userId, MEMBER, source);
    await this.changes.endInvitations(actorId, userId, [tenantId]);
    await this.changes.recordNewcomer(tenantId, actorId, userId, isGiven);
  }
}
