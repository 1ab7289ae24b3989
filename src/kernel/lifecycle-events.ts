import type { SessionId, TenantId, UserId } from './principal.js';

/** What happens to an account or a membership, and what a listener is told about it. */
export interface LifecycleEvents {
  /** `emailKey`, the canonical form of the address, if there is one, for what was kept under it. */
  'account.erased': { readonly userId: UserId; readonly emailKey: string | null };
  'account.password-reset': { readonly userId: UserId; readonly emailKey: string };
  /** The session that changed the password stays. */
  'account.password-changed': { readonly userId: UserId; readonly sessionId: SessionId };
  'account.suspended': { readonly userId: UserId };
  /** Signed out on every device, or on every other than the caller's. */
  'account.signed-out': { readonly userId: UserId };
  /** One, or all of an account that is erased, in order of tenant. */
  'memberships.ended': { readonly userId: UserId; readonly tenantIds: readonly TenantId[] };
}
