import type { SessionId, TenantId, UserId } from './principal.js';

/** Lifecycle events of accounts and memberships, with the payload that a listener receives. */
export interface LifecycleEvents {
  /** `emailKey`: canonical form of the address, to find rows stored under it; null without one. */
  'account.erased': { readonly userId: UserId; readonly emailKey: string | null };
  'account.password-reset': { readonly userId: UserId; readonly emailKey: string };
  /** `sessionId`: the session that changed the password. It stays active. */
  'account.password-changed': { readonly userId: UserId; readonly sessionId: SessionId };
  'account.suspended': { readonly userId: UserId };
  /** The user signed out on all devices, or on all but the caller's. */
  'account.signed-out': { readonly userId: UserId };
  /** One membership ended, or all of an erased account, in order of tenant id. */
  'memberships.ended': { readonly userId: UserId; readonly tenantIds: readonly TenantId[] };
}
