import { Injectable, Logger } from '@nestjs/common';
import {
  AbilityRegistry,
  type FindRole,
  holdsBy,
  type ScopePredicate,
  type TenantConditions,
  forbid,
} from '../../../ability/index.js';
import type { OperatorRights, TenantId, UserId } from '../../../kernel/index.js';
import { describeCause } from '../../../platform/errors/index.js';
import { OperatorDirectory } from '../../operators/operator-directory.js';
import { isForPartners } from '../partnerships/partner-scopes.js';
import { OWNER } from '../roles/role-scopes.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import type { TenantState } from '../tenants/tenant.entity.js';
import { AccessCache, type KnownRole } from './access-cache.js';
import { MemberRoleRepository } from './member-role.repository.js';
import { MemberRepository } from './member.repository.js';
import '../organization.messages.js';

const NO_SCOPES: ReadonlySet<string> = new Set();
/**
 * Answers who has access to what in organizations, by the {@link AccessCache}. With `lock`, a
 * method reads the database instead and locks the rows.
 */
@Injectable()
export class MembershipDirectory {
  private readonly logger = new Logger('Members');

  constructor(
    private readonly cache: AccessCache,
    private readonly members: MemberRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly tenants: TenantRepository,
    private readonly registry: AbilityRegistry,
    private readonly operators: OperatorDirectory,
  ) {}

  /** Returns whether the person is a member. People of partners are none. */
  async isMember(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return (await this.cache.findHeld(userId, tenantId))?.via === null;
  }

  /**
   * Returns whether the person has access to the tenant as a token says.
   * @param via id of the partnership; undefined for a membership
   */
  async hasAccess(userId: UserId, tenantId: TenantId, via: string | undefined): Promise<boolean> {
    const held = await this.cache.findHeld(userId, tenantId);
    return held !== null && held.via?.id === via;
  }

  /**
   * Returns whether the person has access by a membership or partnership, past the cache. Does not
   * wait for locks: a refresh that did could lose the token that it has rotated.
   */
  async hasAccessUncached(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return (await this.cache.findHeldUncached(userId, tenantId, false)) !== null;
  }

  /** Returns the id of the partnership by which the person has access; null for a member. */
  async findPartnership(userId: UserId, tenantId: TenantId): Promise<string | null> {
    return (await this.cache.findHeld(userId, tenantId))?.via?.id ?? null;
  }

  /**
   * Returns the things on which a partnership gives the person roles.
   * @returns null for a member; empty for roles in the whole organization
   */
  async findThingsOfPartner(userId: UserId, tenantId: TenantId): Promise<readonly string[] | null> {
    const via = (await this.cache.findHeld(userId, tenantId))?.via;
    return via ? (via.things ?? []) : null;
  }

  /**
   * Returns whether the person is a member, past the cache.
   * @param lock locks the membership, so that it does not end before the transaction
   */
  async isMemberUncached(userId: UserId, tenantId: TenantId, lock = false): Promise<boolean> {
    return (await this.memberRoles.findIds(tenantId, userId, lock)) !== null;
  }

  /**
   * Notes that the member works in the tenant, as lists of members show it. Neither waits nor
   * throws: the caller has rotated a token, and a client that did not get the new one would be
   * signed out by the old one later.
   */
  noteActivity(userId: UserId, tenantId: TenantId): void {
    this.members.noteActivity(tenantId, userId).catch((error: unknown) => {
      this.logger.warn({ cause: describeCause(error) }, 'The last activity of a member was not written.');
    });
  }

  /** Returns whether the person is an operator of the platform or owns an organization. */
  async isInPower(userId: UserId): Promise<boolean> {
    return (
      (await this.operators.findRights(userId, false)) !== null || (await this.tenants.isOwnerOfAny(userId))
    );
  }

  async findRoles(
    userId: UserId,
    tenantId: TenantId,
    lock: boolean,
    via?: string | null,
  ): Promise<FindRole | null> {
    const [held, roles] = lock
      ? [
          await this.cache.findHeldUncached(userId, tenantId, true, via),
          await this.cache.rolesById(tenantId, true),
        ]
      : await Promise.all([this.cache.findHeld(userId, tenantId), this.cache.rolesById(tenantId, false)]);
    if (!held) return null;
    const findRole = findRoleOf(roles, held.roleIds);
    return held.via ? (scope) => (isForPartners(scope) ? findRole(scope) : undefined) : findRole;
  }

  /** Returns what the person holds in the whole tenant; null without access to it. */
  async findScopePredicate(
    userId: UserId,
    tenantId: TenantId,
    lock: boolean,
  ): Promise<ScopePredicate | null> {
    return holdsBy(await this.findRoles(userId, tenantId, lock));
  }

  /**
   * Loads the roles of an organization.
   * @returns a function from ids of roles to what finds the one that holds a scope
   */
  async getFindRole(tenantId: TenantId, lock: boolean): Promise<(roleIds: readonly string[]) => FindRole> {
    const roles = await this.cache.rolesById(tenantId, lock);
    return (roleIds) => findRoleOf(roles, roleIds);
  }

  /** Returns whether the person is an owner of the organization. */
  async isOwner(userId: UserId, tenantId: TenantId, lock: boolean): Promise<boolean> {
    const ids = lock
      ? await this.memberRoles.findIds(tenantId, userId, true)
      : await this.findRoleIds(userId, tenantId);
    const roles = await this.cache.rolesById(tenantId, lock);
    return ids?.some((id) => roles?.get(id)?.key === OWNER) === true;
  }

  /**
   * Lists the roles that a person could not give: those with a scope that they do not hold, and the
   * role of an owner, unless they are one.
   * @param holds what the person holds in the organization; null for nothing
   */
  async listRolesAbove(
    tenantId: TenantId,
    userId: UserId,
    holds: ScopePredicate | null,
    lock: boolean,
  ): Promise<string[]> {
    const roles = [...((await this.cache.rolesById(tenantId, lock)) ?? [])];
    const isOwner = await this.isOwner(userId, tenantId, lock);
    const isAbove = ({ key, scopes }: KnownRole): boolean =>
      (key === OWNER && !isOwner) || [...scopes].some((scope) => holds?.(scope) !== true);
    return roles.filter(([, role]) => isAbove(role)).map(([id]) => id);
  }

  /** Returns the keys of the roles that a member has, by the cache; none without a membership. */
  async findRoleKeys(userId: UserId, tenantId: TenantId): Promise<string[]> {
    const ids = (await this.findRoleIds(userId, tenantId)) ?? [];
    const roles = await this.cache.rolesById(tenantId, false);
    return ids.flatMap((id) => roles?.get(id)?.key ?? []).sort();
  }

  /**
   * Loads the roles of an organization.
   * @returns a function from ids of roles to the scopes that these roles hold together
   */
  async getScopesOfRoles(
    tenantId: TenantId,
    lock: boolean,
  ): Promise<(roleIds: readonly string[]) => ReadonlySet<string>> {
    const roles = await this.cache.rolesById(tenantId, lock);
    return (roleIds) => {
      const [only = NO_SCOPES, ...more] = roleIds.map((id) => roles?.get(id)?.scopes ?? NO_SCOPES);
      // Most have one role: its set is not copied for each request.
      return more.length === 0 ? only : new Set([only, ...more].flatMap((scopes) => [...scopes]));
    };
  }

  /** @returns every scope that the member holds; null without a membership */
  async findScopes(userId: UserId, tenantId: TenantId): Promise<string[] | null> {
    const holds = await this.findScopePredicate(userId, tenantId, false);
    return holds && [...this.registry.all.keys()].filter(holds);
  }

  /** @returns null for an unknown organization */
  findState(tenantId: TenantId, lock: boolean): Promise<TenantState | null> {
    return this.cache.findState(tenantId, lock);
  }

  async findConditions(tenantId: TenantId, lock: boolean): Promise<TenantConditions> {
    const state = await this.findState(tenantId, lock);
    return {
      closed: state?.archived === true ? forbid('tenant.archived') : null,
      signInPolicy: state?.signInPolicy ?? null,
      otherConnections: state?.signInPolicy?.otherConnections ?? state?.otherConnections ?? false,
    };
  }

  async findJoinedAt(userId: UserId, tenantId: TenantId): Promise<Date | null> {
    return (await this.cache.findHeld(userId, tenantId))?.joinedAt ?? null;
  }

  /**
   * Returns whether the person is the only owner of the organization.
   * @param lock read the database, where the lock of the tenant keeps its owners as they are
   */
  async isLastOwner(userId: UserId, tenantId: TenantId, lock: boolean): Promise<boolean> {
    return (await this.cache.findSoleOwner(tenantId, lock)) === userId;
  }

  findOperatorRights(userId: UserId, lock: boolean): Promise<OperatorRights | null> {
    return this.operators.findRights(userId, lock);
  }

  private async findRoleIds(userId: UserId, tenantId: TenantId): Promise<readonly string[] | null> {
    return (await this.cache.findHeld(userId, tenantId))?.roleIds ?? null;
  }
}

const findRoleOf = (
  roles: ReadonlyMap<string, KnownRole> | null | undefined,
  roleIds: readonly string[],
): FindRole => {
  const known = roleIds.flatMap((id) => roles?.get(id) ?? []);
  return (scope) => known.find(({ scopes }) => scopes.has(scope))?.key;
};
