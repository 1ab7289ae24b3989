import type { TenantId, UserId } from '../kernel/index.js';

/** Whether a person holds a scope. */
export type ScopePredicate = (scope: string) => boolean;

/** Where held scopes come from, and what hinders all of them. Implemented by whoever knows tenants, memberships and operators. */
export abstract class HeldScopes {
  /** What the person holds in the tenant; null without a membership. */
  abstract findScopePredicate(
    userId: UserId,
    tenantId: TenantId,
    lock: boolean,
  ): Promise<ScopePredicate | null>;

  /** Why nothing can be changed in the tenant; null while it can. With `lock` it stays so until the open transaction ends. */
  abstract findClosedReason(tenantId: TenantId, lock: boolean): Promise<string | null>;

  /** Whether the person runs the platform. */
  abstract isOperator(userId: UserId, lock: boolean): Promise<boolean>;
}
