import { Injectable } from '@nestjs/common';
import type { FindRole, Holder, ScopePredicate } from '../../../ability/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AccessCache } from '../members/access-cache.js';
import { MemberRepository } from '../members/member.repository.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { PartnerGrantRepository } from '../partnerships/partner-grant.repository.js';
import { isForPartners } from '../partnerships/partner-scopes.js';
import { AssignmentRepository } from './assignment.repository.js';

const NOTHING: ReadonlyMap<string, FindRole> = new Map();

/**
 * Answers who holds what on single things, by assignments and partnerships. With `lock`, a method
 * reads the database and locks the rows.
 */
@Injectable()
export class AssignmentDirectory {
  constructor(
    private readonly cache: AccessCache,
    private readonly directory: MembershipDirectory,
    private readonly members: MemberRepository,
    private readonly assignments: AssignmentRepository,
    private readonly partners: PartnerGrantRepository,
  ) {}

  async findRolesOnThings(
    userId: UserId,
    tenantId: TenantId,
    things: readonly string[],
    lock: boolean,
    partnership: string | null,
  ): Promise<ReadonlyMap<string, FindRole>> {
    const { found, isUsable } = await this.findRolesOn(userId, tenantId, things, lock, partnership);
    if (found.length === 0) return NOTHING;
    const findRoleOf = await this.directory.getFindRole(tenantId, lock);
    const byThing = Map.groupBy(found, ({ thing }) => thing);
    return new Map(
      [...byThing].map(([thing, held]) => {
        const findRole = findRoleOf(held.map(({ roleId }) => roleId));
        return [thing, (scope) => (isUsable?.(scope) === false ? undefined : findRole(scope))];
      }),
    );
  }

  async findScopesOnAnything(userId: UserId, tenantId: TenantId): Promise<ReadonlySet<string>> {
    const via = (await this.cache.findHeld(userId, tenantId))?.via;
    const ofPartner = via && (via.things?.length ? via.roleIds : []);
    const roleIds = ofPartner ?? (await this.assignments.findRolesOnAnything(tenantId, userId));
    const scopes = (await this.directory.getScopesOfRoles(tenantId, false))(roleIds);
    return via ? new Set([...scopes].filter(isForPartners)) : scopes;
  }

  async findThingsWith(userId: UserId, tenantId: TenantId, scope: string): Promise<string[]> {
    const roles = [...((await this.cache.rolesById(tenantId, false)) ?? [])];
    const roleIds = roles.flatMap(([id, { scopes }]) => (scopes.has(scope) ? [id] : []));
    const via = (await this.cache.findHeld(userId, tenantId))?.via;
    if (!via) return this.assignments.findThingsOf(tenantId, userId, roleIds);
    const isHeld = isForPartners(scope) && via.roleIds.some((id) => roleIds.includes(id));
    return isHeld ? [...(via.things ?? [])] : [];
  }

  async findActive(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlySet<string>> {
    const active = new Set(await this.members.findActiveIds(tenantId, userIds));
    const others = userIds.filter((id) => !active.has(id));
    if (others.length === 0) return active;
    const grants = await this.partners.listOfEach(
      others.map(() => tenantId),
      others,
    );
    for (const [partnerId, found] of Map.groupBy(grants, (grant) => grant.partnerId)) {
      const people = found.map(({ userId }) => userId);
      for (const id of await this.members.findActiveIds(partnerId, people)) active.add(id);
    }
    return active;
  }

  async findHolders(
    tenantId: TenantId,
    scope: string,
    things: readonly string[],
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<Holder[]> {
    const roles = [...((await this.cache.rolesById(tenantId, false)) ?? [])];
    const roleIds = roles.flatMap(([id, { scopes }]) => (scopes.has(scope) ? [id] : []));
    const members = await this.assignments.findHolders(tenantId, roleIds, things, page);
    const ofPartners = isForPartners(scope)
      ? await this.partners.findHolders(tenantId, roleIds, things, page)
      : [];
    const holders = [...new Set([...members, ...ofPartners])].sort().slice(0, page.limit);
    const active = await this.findActive(tenantId, holders);
    return holders.map((userId) => ({ userId, isActive: active.has(userId) }));
  }

  async hasAssignments(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return (await this.cache.findHeld(userId, tenantId))?.hasAssignments ?? false;
  }

  /**
   * Finds the roles that a person holds on things.
   * @returns them, and which of their scopes count; all, without `isUsable`
   */
  private async findRolesOn(
    userId: UserId,
    tenantId: TenantId,
    things: readonly string[],
    lock: boolean,
    partnership: string | null,
  ): Promise<{
    readonly found: readonly { readonly thing: string; readonly roleId: string }[];
    readonly isUsable?: ScopePredicate;
  }> {
    const held =
      lock && partnership !== null
        ? await this.cache.findHeldUncached(userId, tenantId, true, partnership)
        : !lock && (await this.cache.findHeld(userId, tenantId));
    const via = held ? held.via : null;
    if (lock ? partnership === null : via === null)
      return { found: await this.assignments.findRolesOn(tenantId, userId, things, lock) };
    const asked = new Set(things);
    const named = via?.things?.filter((thing) => asked.has(thing)) ?? [];
    const found = named.flatMap((thing) => (via?.roleIds ?? []).map((roleId) => ({ thing, roleId })));
    return { found, isUsable: isForPartners };
  }
}
