import type { TenantId, UserId } from '../platform/http/index.js';

/** Whether a person holds a scope. */
export type ScopeHolding = (scope: string) => boolean;

/** Where held scopes come from. Implemented by whoever knows memberships and operators. */
export abstract class HeldScopes {
  /** What the person holds in the tenant; null without a membership. */
  abstract inTenant(userId: UserId, tenantId: TenantId, lock: boolean): Promise<ScopeHolding | null>;

  /** Whether the person runs the platform. */
  abstract isOperator(userId: UserId, lock: boolean): Promise<boolean>;
}
