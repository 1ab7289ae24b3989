import { Injectable } from '@nestjs/common';
import { AbilityRegistry } from '../../../ability/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { ChangeFeed, LiveCache } from '../../../platform/live/index.js';
import { type PartnerGrant, PartnerGrantRepository } from '../partnerships/partner-grant.repository.js';
import { scopesOf } from '../roles/role-scopes.js';
import { RoleRepository } from '../roles/role.repository.js';
import type { TenantState } from '../tenants/tenant.entity.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import type { Membership } from './member.entity.js';
import { MemberRoleRepository } from './member-role.repository.js';
import { MemberRepository } from './member.repository.js';

const MEMBERSHIP_CHANNEL = 'gatehouse_membership_changed';
const TENANTS_CHANNEL = 'gatehouse_tenant_changed';
const ROLES_CHANNEL = 'gatehouse_roles_changed';
const OWNERS_CHANNEL = 'gatehouse_owners_changed';
const NOTHING: readonly Held[] = [];

/** A role, as a question about its members needs it. */
export interface KnownRole {
  readonly key: string;
  readonly scopes: ReadonlySet<string>;
}
type KnownRoles = ReadonlyMap<string, KnownRole>;

/** Access of a person, by a membership or a partnership, with the ids of the roles. */
export interface Held {
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
 * Caches memberships, roles and the state of tenants, invalidated within the bounds of the
 * {@link LiveCache}. With `lock`, a method reads the database instead and locks the rows.
 */
@Injectable()
export class AccessCache {
  /** A membership, or what partnerships give, the oldest first. */
  private readonly memberships: LiveCache<readonly Held[]>;
  private readonly knownRoles: LiveCache<KnownRoles>;
  private readonly tenantStates: LiveCache<TenantState>;
  private readonly soleOwners: LiveCache<{ readonly userId: UserId | null }>;

  constructor(
    private readonly members: MemberRepository,
    private readonly memberRoles: MemberRoleRepository,
    private readonly partners: PartnerGrantRepository,
    private readonly roles: RoleRepository,
    private readonly tenants: TenantRepository,
    private readonly registry: AbilityRegistry,
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

  /** @returns null for an unknown organization */
  findState(tenantId: TenantId, lock: boolean): Promise<TenantState | null> {
    return lock ? this.tenants.findStateForShare(tenantId) : this.tenantStates.get(tenantId);
  }

  /** Returns the only owner of an organization; null if it has several. */
  async findSoleOwner(tenantId: TenantId, lock: boolean): Promise<UserId | null> {
    if (lock) return (await this.members.findSoleOwners([tenantId])).get(tenantId) ?? null;
    return (await this.soleOwners.get(tenantId))?.userId ?? null;
  }

  async rolesById(tenantId: TenantId, lock: boolean): Promise<KnownRoles | null | undefined> {
    return lock ? (await this.loadRoles([tenantId])).get(tenantId) : this.knownRoles.get(tenantId);
  }

  /**
   * Finds access by the cache, whose copy counts until something of it ends. Access by a
   * partnership counts while the person is a member of the partner, and the partner is open.
   */
  async findHeld(userId: UserId, tenantId: TenantId): Promise<Held | null> {
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
   * @param via what counts: this partnership, or null for a membership; undefined for either
   */
  async findHeldUncached(
    userId: UserId,
    tenantId: TenantId,
    lock: boolean,
    via?: string | null,
  ): Promise<Pick<Held, 'roleIds' | 'via'> | null> {
    const roleIds = typeof via === 'string' ? null : await this.memberRoles.findIds(tenantId, userId, lock);
    if (roleIds) return { roleIds, via: null };
    if (via === null) return null;
    for (const known of await this.partners.listOfEach([tenantId], [userId])) {
      const { id, partnerId } = known;
      if (via !== undefined && via !== id) continue;
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
      members.map(({ tenantId, userId, roleIds, joinedAt, hasAssignments, endsInMs }) => {
        const endsAt = endsInMs === null ? null : startedAt + endsInMs;
        // The parser of pg leaves room for 17 elements in a list: 130 bytes for each of 20,000.
        const held = { roleIds: [...roleIds], joinedAt, hasAssignments, endsAt, via: null };
        return [`${tenantId}:${userId}`, [held]];
      }),
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
