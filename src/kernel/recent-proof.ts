import type { Principal } from './principal.js';

/**
 * Maximum age of a sign-in, in seconds, for linking, unlinking and erasure, which would give the
 * thief of a session lasting access or destroy the account. Ten minutes: enough to read the page
 * and decide, and the lifetime of an access token.
 */
export const MAX_PROOF_AGE_SECONDS = 600;

/**
 * Checks the age of the caller's last authentication, from `auth_time` of the verified access
 * token.
 * @param maxAge seconds
 * @returns true if the caller authenticated within the last `maxAge` seconds
 */
export function isRecentProof({ authTime }: Pick<Principal, 'authTime'>, maxAge: number): boolean {
  return Date.now() - authTime.getTime() <= maxAge * 1_000;
}
