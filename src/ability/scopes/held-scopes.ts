import type { OperatorRights, SetSignInPolicy, TenantId, UserId } from '../../kernel/index.js';
import type { Refusal } from '../decision.js';

/** Returns whether a person, client or caller holds a scope. */
export type ScopePredicate = (scope: string) => boolean;

/** What stands between the members of a tenant and their scopes. */
export interface TenantConditions {
  /** Why nothing in the tenant can be changed; null if it can. */
  readonly closed: Refusal | null;
  /** What the tenant asks of sign-ins; null for nothing. */
  readonly signInPolicy: SetSignInPolicy | null;
  /** Whether a sign-in by a connection of another organization opens the tenant. */
  readonly otherConnections: boolean;
}

/**
 * Source of the scopes that people hold. Implemented by the module that has tenants, memberships
 * and operators. With `lock`, a method reads the database instead of a cache and locks the rows, so
 * that the result stays true until the open transaction ends.
 */
export abstract class HeldScopes {
  /** @returns the scopes that the person holds in the tenant; null without a membership */
  abstract findScopePredicate(
    userId: UserId,
    tenantId: TenantId,
    lock: boolean,
  ): Promise<ScopePredicate | null>;

  /** Finds what the tenant asks of callers, whatever their scopes. */
  abstract findConditions(tenantId: TenantId, lock: boolean): Promise<TenantConditions>;

  /** @returns the time at which the person became a member; null without a membership */
  abstract findJoinedAt(userId: UserId, tenantId: TenantId): Promise<Date | null>;

  /** Returns whether the person is an owner of the tenant. */
  abstract isOwner(userId: UserId, tenantId: TenantId, lock: boolean): Promise<boolean>;

  /** @returns the person's rights as an operator of the platform; null for no operator */
  abstract findOperatorRights(userId: UserId, lock: boolean): Promise<OperatorRights | null>;
}

/** Finds the connections of tenants. Implemented by the module that has connections. */
export abstract class TenantConnections {
  /** @returns the id of the active connection; null if the tenant has none */
  abstract findActiveId(tenantId: TenantId): Promise<string | null>;
}
