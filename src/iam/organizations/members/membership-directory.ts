import { Injectable, Logger } from '@nestjs/common';
import {
  AbilityRegistry,
  type HeldBy,
  type Holder,
  type ScopePredicate,
  type TenantConditions,
  forbid,
} from '../../../ability/index.js';
import type { OperatorRights, TenantId, UserId } from '../../../kernel/index.js';
import { describeCause } from '../../../platform/errors/index.js';
import { ChangeFeed, LiveCache } from '../../../platform/live/index.js';
import { AssignmentRepository } from '../assignments/assignment.repository.js';
import { OperatorService } from '../../operators/operator.service.js';
import { type PartnerGrant, PartnerGrantRepository } from '../partnerships/partner-grant.repository.js';
import { isForPartners } from '../partnerships/partner-scopes.js';
import { OWNER, scopesOf } from '../roles/role-scopes.js';
import { RoleRepository } from '../roles/role.repository.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import type { TenantState } from '../tenants/tenant.js';
import type { Membership } from './member.entity.js';
import { MemberRoleRepository } from './member-role.repository.js';
import { MemberRepository } from './member.repository.js';
import '../organization.messages.js';

const MEMBERSHIP_CHANNEL = 'gatehouse_membership_changed';
const TENANTS_CHANNEL = 'gatehouse_tenant_changed';
const ROLES_CHANNEL = 'gatehouse_roles_changed';
const OWNERS_CHANNEL = 'gatehouse_owners_changed';

interface KnownRole {
  readonly key: string;
  readonly scopes: ReadonlySet<string>;
}
const NO_SCOPES: ReadonlySet<string> = new Set();
const NOTHING: readonly Held[] = [];
type KnownRoles = ReadonlyMap<string, KnownRole>;

/** Access of a person, by a membership or a partnership, with the ids of the roles. */
interface Held {
  /** Roles in the whole organization. */
  readonly roleIds: readonly string[];
  readonly joinedAt: Date;
  /** Whether the person has or had roles on single things. */
  readonly hasAssignments: boolean;
  /** By `performance.now()`: when something of it ends; null for never. */
  readonly endsAt: number | null;
  /** Partnership; null for a member. */
  readonly via: PartnerGrant | null;
}

/**
 * Caches memberships, the scopes of roles and the state of tenants, invalidated within the bounds
 * of the {@link LiveCache}. With `lock`, a method reads the database instead and locks the rows.
 */
@Injectable()
export class MembershipDirectory {
  private readonly logger = new Logger('Members');
  /** A membership, or what partnerships give, the oldest first. */
  private readonly memberships: LiveCache<readonly Held[]>;
  private readonly knownRoles: LiveCache<KnownRoles>;
  private readonly tenantStates: LiveCache<TenantState>;
  private readonly soleOwners: LiveCache<{ readonly userId: UserId | null }>;

  constructor(
    private readonly members: MemberRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly assignments: AssignmentRepository,
    private readonly partners: PartnerGrantRepository,
    private readonly roles: RoleRepository,
    private readonly tenants: TenantRepository,
    private readonly registry: AbilityRegistry,
    private readonly operators: OperatorService,
    feed: ChangeFeed,
  ) {
    this.memberships = new LiveCache(feed, MEMBERSHIP_CHANNEL, (keys) => this.loadMemberships(keys));
    this.knownRoles = new LiveCache(feed, ROLES_CHANNEL, (tenantIds) => this.loadRoles(tenantIds));
    // Built-in roles hold what is registered.
    this.registry.onReplaced(() => this.knownRoles.forgetAll());
    this.tenantStates = new LiveCache(feed, TENANTS_CHANNEL, (tenantIds) =>
      this.tenants.findStates(tenantIds),
    );
    this.soleOwners = new LiveCache(feed, OWNERS_CHANNEL, async (tenantIds) => {
      const owners = await this.members.findSoleOwners(tenantIds);
      return new Map(tenantIds.map((id) => [id, { userId: owners.get(id) ?? null }]));
    });
  }

  /** Returns whether the person is a member. People of partners are none. */
  async isMember(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return (await this.findHeld(userId, tenantId))?.via === null;
  }

  /**
   * Returns whether the person has access to the tenant as a token says.
   * @param via id of the partnership; undefined for a membership
   */
  async hasAccess(userId: UserId, tenantId: TenantId, via: string | undefined): Promise<boolean> {
    const held = await this.findHeld(userId, tenantId);
    return held !== null && held.via?.id === via;
  }

  /**
   * Returns whether the person has access by a membership or partnership, past the cache. Does not
   * wait for locks: a refresh that did could lose the token that it has rotated.
   */
  async hasAccessUncached(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return (await this.findHeldUncached(userId, tenantId, false)) !== null;
  }

  /** Returns the id of the partnership by which the person has access; null for a member. */
  async findPartnership(userId: UserId, tenantId: TenantId): Promise<string | null> {
    return (await this.findHeld(userId, tenantId))?.via?.id ?? null;
  }

  /**
   * Returns the things on which a partnership gives the person roles.
   * @returns null for a member; empty for roles in the whole organization
   */
  async findThingsOfPartner(userId: UserId, tenantId: TenantId): Promise<readonly string[] | null> {
    const via = (await this.findHeld(userId, tenantId))?.via;
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

  async findScopePredicate(
    userId: UserId,
    tenantId: TenantId,
    lock: boolean,
  ): Promise<ScopePredicate | null> {
    const [held, roles] = lock
      ? [await this.findHeldUncached(userId, tenantId, true), await this.rolesById(tenantId, true)]
      : await Promise.all([this.findHeld(userId, tenantId), this.rolesById(tenantId, false)]);
    if (!held) return null;
    const { roleIds, via } = held;
    const holds = (scope: string) => roleIds.some((id) => roles?.get(id)?.scopes.has(scope));
    return via ? (scope) => isForPartners(scope) && holds(scope) : holds;
  }

  async findScopesOnThings(
    userId: UserId,
    tenantId: TenantId,
    things: readonly string[],
    lock: boolean,
  ): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    const { found, isUsable } = await this.findRolesOn(userId, tenantId, things, lock);
    if (found.length === 0) return new Map();
    const scopesOf = await this.getScopesOfRoles(tenantId, lock);
    const byThing = Map.groupBy(found, ({ thing }) => thing);
    return new Map(
      [...byThing].map(([thing, held]) => {
        const scopes = scopesOf(held.map(({ roleId }) => roleId));
        return [thing, isUsable ? new Set([...scopes].filter(isUsable)) : scopes];
      }),
    );
  }

  async findScopesOnAnything(userId: UserId, tenantId: TenantId): Promise<ReadonlySet<string>> {
    const via = (await this.findHeld(userId, tenantId))?.via;
    const ofPartner = via && (via.things?.length ? via.roleIds : []);
    const roleIds = ofPartner ?? (await this.assignments.findRolesOnAnything(tenantId, userId));
    const scopes = (await this.getScopesOfRoles(tenantId, false))(roleIds);
    return via ? new Set([...scopes].filter(isForPartners)) : scopes;
  }

  async findThingsWith(userId: UserId, tenantId: TenantId, scope: string): Promise<string[]> {
    const roles = [...((await this.rolesById(tenantId, false)) ?? [])];
    const roleIds = roles.flatMap(([id, { scopes }]) => (scopes.has(scope) ? [id] : []));
    const via = (await this.findHeld(userId, tenantId))?.via;
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
    const roles = [...((await this.rolesById(tenantId, false)) ?? [])];
    const roleIds = roles.flatMap(([id, { scopes }]) => (scopes.has(scope) ? [id] : []));
    const members = await this.assignments.findHolders(tenantId, roleIds, things, page);
    const ofPartners = isForPartners(scope)
      ? await this.partners.findHolders(tenantId, roleIds, things, page)
      : [];
    const holders = [...new Set([...members, ...ofPartners])].sort().slice(0, page.limit);
    const active = await this.findActive(tenantId, holders);
    return holders.map((userId) => ({ userId, isActive: active.has(userId) }));
  }

  async findRoleWith(userId: UserId, tenantId: TenantId, scope: string): Promise<string | null> {
    const held = await this.findHeld(userId, tenantId);
    if (!held || (held.via && !isForPartners(scope))) return null;
    const roles = await this.rolesById(tenantId, false);
    const id = held.roleIds.find((one) => roles?.get(one)?.scopes.has(scope));
    return (id !== undefined && roles?.get(id)?.key) || null;
  }

  async findRoleOn(
    userId: UserId,
    tenantId: TenantId,
    scope: string,
    things: readonly string[],
  ): Promise<HeldBy | null> {
    const { found, isUsable } = await this.findRolesOn(userId, tenantId, things, false);
    if (isUsable?.(scope) === false) return null;
    const roles = await this.rolesById(tenantId, false);
    for (const on of things)
      for (const { thing, roleId } of found) {
        const role = roles?.get(roleId);
        if (thing === on && role?.scopes.has(scope)) return { role: role.key, on };
      }
    return null;
  }

  async hasAssignments(userId: UserId, tenantId: TenantId): Promise<boolean> {
    return (await this.findHeld(userId, tenantId))?.hasAssignments ?? false;
  }

  /** Returns whether the person is an owner of the organization. */
  async isOwner(userId: UserId, tenantId: TenantId, lock: boolean): Promise<boolean> {
    if (lock) return (await this.members.findJudged(tenantId, [userId], true))[0]?.isOwner === true;
    const ids = (await this.findRoleIds(userId, tenantId)) ?? [];
    const roles = await this.rolesById(tenantId, false);
    return ids.some((id) => roles?.get(id)?.key === OWNER);
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
    const roles = [...((await this.rolesById(tenantId, lock)) ?? [])];
    const isOwner = await this.isOwner(userId, tenantId, lock);
    const isAbove = ({ key, scopes }: KnownRole): boolean =>
      (key === OWNER && !isOwner) || [...scopes].some((scope) => holds?.(scope) !== true);
    return roles.filter(([, role]) => isAbove(role)).map(([id]) => id);
  }

  /** Returns the keys of the roles that a member has, by the cache; none without a membership. */
  async findRoleKeys(userId: UserId, tenantId: TenantId): Promise<string[]> {
    const ids = (await this.findRoleIds(userId, tenantId)) ?? [];
    const roles = await this.rolesById(tenantId, false);
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
    const roles = await this.rolesById(tenantId, lock);
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
    return lock ? this.tenants.findStateForShare(tenantId) : this.tenantStates.get(tenantId);
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
    return (await this.findHeld(userId, tenantId))?.joinedAt ?? null;
  }

  /**
   * Returns whether the person is the only owner of the organization.
   * @param lock read the database, where the lock of the tenant keeps its owners as they are
   */
  async isLastOwner(userId: UserId, tenantId: TenantId, lock: boolean): Promise<boolean> {
    const soleOwner = lock
      ? await this.members.findSoleOwner(tenantId)
      : (await this.soleOwners.get(tenantId))?.userId;
    return soleOwner === userId;
  }

  findOperatorRights(userId: UserId, lock: boolean): Promise<OperatorRights | null> {
    return this.operators.findRights(userId, lock);
  }

  /** Invalidates memberships and their roles on every replica, after the commit. */
  async announceMemberships(...memberships: Membership[]): Promise<void> {
    await this.memberships.announce(...memberships.map(({ tenantId, userId }) => `${tenantId}:${userId}`));
    await this.soleOwners.announce(...memberships.map(({ tenantId }) => tenantId));
  }

  /** Invalidates the roles of a tenant on every replica, after the commit. */
  async announceRoles(tenantId: TenantId): Promise<void> {
    await this.knownRoles.announce(tenantId);
  }

  /** Invalidates the state of tenants on every replica, after the commit. */
  async announceTenants(...tenantIds: TenantId[]): Promise<void> {
    await this.tenantStates.announce(...tenantIds);
  }

  private async rolesById(tenantId: TenantId, lock: boolean): Promise<KnownRoles | null | undefined> {
    return lock ? (await this.loadRoles([tenantId])).get(tenantId) : this.knownRoles.get(tenantId);
  }

  private async findRoleIds(userId: UserId, tenantId: TenantId): Promise<readonly string[] | null> {
    return (await this.findHeld(userId, tenantId))?.roleIds ?? null;
  }

  /**
   * Finds access by the cache, whose copy counts until something of it ends. Access by a
   * partnership counts while the person is a member of the partner, and the partner is open.
   */
  private async findHeld(userId: UserId, tenantId: TenantId): Promise<Held | null> {
    const [first, ...others] = await this.readCached(userId, tenantId);
    if (!first || first.via === null) return first ?? null;
    for (const held of [first, ...others])
      if (held.via && (await this.isOfPartner(userId, held.via.partnerId))) return held;
    return null;
  }

  private async readCached(userId: UserId, tenantId: TenantId): Promise<readonly Held[]> {
    const key = `${tenantId}:${userId}`;
    const known = (await this.memberships.get(key)) ?? NOTHING;
    if (known.every(({ endsAt }) => endsAt === null || performance.now() < endsAt)) return known;
    this.memberships.forget(key);
    return (await this.memberships.get(key)) ?? NOTHING;
  }

  /** A person of a partner of the partner does not count: a partnership cannot be passed on. */
  private async isOfPartner(userId: UserId, partnerId: TenantId): Promise<boolean> {
    const [membership] = await this.readCached(userId, partnerId);
    return membership?.via === null && (await this.isOpen(partnerId));
  }

  private async isOpen(tenantId: TenantId): Promise<boolean> {
    const state = await this.findState(tenantId, false);
    return state?.archived === false && !state.deletionStarted;
  }

  /**
   * Finds access in the database.
   * @param lock locks it until the transaction ends: of a partnership, the membership of the
   *   partner, then the partnership, as every change of either does
   */
  private async findHeldUncached(
    userId: UserId,
    tenantId: TenantId,
    lock: boolean,
  ): Promise<Pick<Held, 'roleIds' | 'via'> | null> {
    const roleIds = await this.memberRoles.findIds(tenantId, userId, lock);
    if (roleIds) return { roleIds, via: null };
    for (const known of await this.partners.listOfEach([tenantId], [userId])) {
      const { id, partnerId } = known;
      const isOfPartner = (await this.memberRoles.findIds(partnerId, userId, lock)) !== null;
      if (!isOfPartner || !(await this.isOpen(partnerId))) continue;
      if (!lock) return toHeld(known, 0);
      await this.partners.lockForShare(tenantId, id);
      const grants = await this.partners.listOfEach([tenantId], [userId]);
      const grant = grants.find((one) => one.id === id);
      if (grant) return toHeld(grant, 0);
    }
    return null;
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
  ): Promise<{
    readonly found: readonly { readonly thing: string; readonly roleId: string }[];
    readonly isUsable?: ScopePredicate;
  }> {
    const cached = await this.findHeld(userId, tenantId);
    if (!cached?.via) return { found: await this.assignments.findRolesOn(tenantId, userId, things, lock) };
    const via = lock ? (await this.findHeldUncached(userId, tenantId, true))?.via : cached.via;
    const named = via?.things?.filter((thing) => things.includes(thing)) ?? [];
    const found = named.flatMap((thing) => (via?.roleIds ?? []).map((roleId) => ({ thing, roleId })));
    return { found, isUsable: isForPartners };
  }

  /**
   * The database says how long access lasts, and a monotonic clock counts it, so that the wall
   * clock of the replica does not matter.
   */
  private async loadMemberships(keys: readonly string[]): Promise<ReadonlyMap<string, readonly Held[]>> {
    const startedAt = performance.now();
    const asked = keys.map((key) => key.split(':'));
    const members = await this.memberRoles.findIdsOfEach(
      asked.map(([tenantId = '']) => tenantId),
      asked.map(([, userId = '']) => userId),
    );
    const loaded = new Map<string, readonly Held[]>(
      members.map(({ tenantId, userId, endsInMs, ...held }) => [
        `${tenantId}:${userId}`,
        [{ ...held, endsAt: endsInMs === null ? null : startedAt + endsInMs, via: null }],
      ]),
    );
    const others = asked.filter(([tenantId, userId]) => !loaded.has(`${tenantId}:${userId}`));
    if (others.length === 0) return loaded;
    const grants = await this.partners.listOfEach(
      others.map(([tenantId = '']) => tenantId),
      others.map(([, userId = '']) => userId),
    );
    for (const [key, found] of Map.groupBy(grants, ({ tenantId, userId }) => `${tenantId}:${userId}`))
      loaded.set(
        key,
        found.map((grant) => toHeld(grant, startedAt)),
      );
    return loaded;
  }

  private async loadRoles(tenantIds: readonly string[]): Promise<ReadonlyMap<string, KnownRoles>> {
    const known = new Map(tenantIds.map((id) => [id, new Map<string, KnownRole>()]));
    for (const role of await this.roles.findAllOf(tenantIds)) {
      const { key } = role;
      known.get(role.tenantId)?.set(role.id, { key, scopes: new Set(scopesOf(this.registry, role)) });
    }
    return known;
  }
}

/** @param startedAt when the grant was read, by `performance.now()` */
const toHeld = (grant: PartnerGrant, startedAt: number): Held => ({
  roleIds: grant.things === null ? grant.roleIds : [],
  joinedAt: grant.joinedAt,
  hasAssignments: grant.things !== null,
  endsAt: grant.endsInMs === null ? null : startedAt + grant.endsInMs,
  via: grant,
});
