import type { TenantId, UserId } from '../../kernel/index.js';
import type { Refusal } from '../decision.js';

/** Returns whether a person, client or caller holds a scope. */
export type ScopePredicate = (scope: string) => boolean;

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

  /** @returns why nothing in the tenant can be changed; null if it can */
  abstract findClosedReason(tenantId: TenantId, lock: boolean): Promise<Refusal | null>;

  /** Returns whether the person is an operator of the platform. */
  abstract isOperator(userId: UserId, lock: boolean): Promise<boolean>;
}
