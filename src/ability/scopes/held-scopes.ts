import type { OperatorRights, OperatorRole, SetSignInPolicy, TenantId, UserId } from '../../kernel/index.js';
import type { Refusal } from '../decision.js';

/** Returns whether a person, client or caller holds a scope. */
export type ScopePredicate = (scope: string) => boolean;

/** Returns the key of a role by which a scope is held; undefined if it is not. */
export type FindRole = (scope: string) => string | undefined;

/** Returns whether a scope is held by some role. */
export const holdsBy = (roleOf: FindRole | null): ScopePredicate | null =>
  roleOf && ((scope) => roleOf(scope) !== undefined);

/** What stands between the members of a tenant and their scopes. */
export interface TenantConditions {
  /** Why nothing in the tenant can be changed; null if it can. */
  readonly closed: Refusal | null;
  /** What the tenant asks of sign-ins; null for nothing. */
  readonly signInPolicy: SetSignInPolicy | null;
  /** Whether a sign-in by a connection of another organization opens the tenant. */
  readonly otherConnections: boolean;
}

/** A scope for any sign-in is judged by none. */
export const UNCONDITIONAL: TenantConditions = { closed: null, signInPolicy: null, otherConnections: true };

/** Member, or person of a partner, whose roles hold a scope. */
export interface Holder {
  readonly userId: UserId;
  /** Whether the access and the account are neither suspended nor ended. */
  readonly isActive: boolean;
}

/** Registered instead of a list of scopes: every scope that the user holds. */
export const EVERY_SCOPE = '*';

/**
 * Sources of the scopes that callers hold, from modules above this one. `app.module.ts` puts them
 * together. With `lock`, a method reads the database instead of a cache and locks the rows, so that
 * the result stays true until the open transaction ends.
 */
export abstract class HeldScopes {
  abstract readonly members: MemberScopes;
  abstract readonly assignments: AssignedScopes;
  abstract readonly machines: MachineScopes;
  abstract readonly clients: ClientScopes;
  abstract readonly things: ThingSource;
}

/** Source of what members and operators hold. */
interface MemberScopes {
  /**
   * Finds what the person holds in the whole tenant.
   * @param via with `lock`, the access that counts: by this partnership, or null for a membership;
   *   undefined for either
   * @returns null without this access
   */
  findRoles(userId: UserId, tenantId: TenantId, lock: boolean, via?: string | null): Promise<FindRole | null>;

  /** Finds what the tenant asks of callers, whatever their scopes. */
  findConditions(tenantId: TenantId, lock: boolean): Promise<TenantConditions>;

  /** @returns the time at which the person became a member; null without a membership */
  findJoinedAt(userId: UserId, tenantId: TenantId): Promise<Date | null>;

  /** Returns whether the person is an owner of the tenant. */
  isOwner(userId: UserId, tenantId: TenantId, lock: boolean): Promise<boolean>;

  /** @returns the person's rights as an operator of the platform; null for no operator */
  findOperatorRights(userId: UserId, lock: boolean): Promise<OperatorRights | null>;
}

/** Source of what members hold on single things, and of who holds what. */
interface AssignedScopes {
  /** Returns whether the person may hold a role on a single thing of the tenant, by the cache. */
  hasAssignments(userId: UserId, tenantId: TenantId): Promise<boolean>;

  /**
   * Finds what the person holds on single things, besides what they hold in the whole tenant.
   * @param things as {@link thingOf} spells them
   * @param via with `lock`, the access that counts: by this partnership, or null for a membership
   * @returns what finds the role by which they hold a scope, by thing
   */
  findRolesOnThings(
    userId: UserId,
    tenantId: TenantId,
    things: readonly string[],
    lock: boolean,
    via: string | null,
  ): Promise<ReadonlyMap<string, FindRole>>;

  /** Finds what the person holds by roles on single things, whatever the things. */
  findScopesOnAnything(userId: UserId, tenantId: TenantId): Promise<ReadonlySet<string>>;

  /**
   * Finds the single things on which the person holds a scope by a role on the thing itself.
   * @returns them as {@link thingOf} spells them, in their order; at most a thousand
   */
  findThingsWith(userId: UserId, tenantId: TenantId, scope: string): Promise<string[]>;

  /**
   * Returns which people have access now, as members or by a partner, without those with suspended
   * accounts.
   */
  findActive(tenantId: TenantId, userIds: readonly UserId[]): Promise<ReadonlySet<string>>;

  /** Lists who holds a scope in the whole tenant or on one of these things, in order of id. */
  findHolders(
    tenantId: TenantId,
    scope: string,
    things: readonly string[],
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<Holder[]>;
}

/** Source of what service accounts hold. */
interface MachineScopes {
  /** @returns what its roles hold in its tenant; null for one unknown or disabled */
  findRoles(accountId: string, tenantId: TenantId, lock: boolean): Promise<FindRole | null>;

  /** @returns the role of a service account of the platform; null for one unknown or disabled */
  findOperatorRole(accountId: string, lock: boolean): Promise<OperatorRole | null>;
}

/** Source of what the things of other services are parts of, as these have registered it. */
interface ThingSource {
  /**
   * @param things as `thingOf` spells them
   * @returns the parents of each of them, and of what is above, at any depth
   * @throws {AppError} conflict if too much is above one
   */
  findParents(
    tenantId: TenantId,
    things: readonly string[],
    lock: boolean,
  ): Promise<ReadonlyMap<string, readonly string[]>>;

  /** Returns whether a registered thing is a direct part of something in these collections. */
  isBelow(tenantId: TenantId, collections: readonly string[]): Promise<boolean>;

  /**
   * Lists what registered things are direct parts of in these collections, in order.
   * @returns it as `thingOf` spells it
   */
  listParents(
    tenantId: TenantId,
    collections: readonly string[],
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<string[]>;

  /**
   * Lists registered things of a collection in order of id: all, or these and what is below them,
   * at any depth.
   * @param collection `<module>/<collection>`
   * @param things as `thingOf` spells them; null for all of the tenant
   */
  listRegistered(
    tenantId: TenantId,
    collection: string,
    things: readonly string[] | null,
    page: { readonly limit: number; readonly after: string | null },
  ): Promise<string[]>;
}

/** Scopes of third-party clients. */
interface ClientScopes {
  /** @returns the registered scopes; null for an unknown client */
  findScopes(clientId: string, lock: boolean): Promise<ReadonlySet<string> | null>;
}
