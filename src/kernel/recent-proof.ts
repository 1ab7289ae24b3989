import type { Principal } from './principal.js';

/**
 * Maximum age of a sign-in, in seconds, for what would let a thief of a session stay or would destroy the account: linking, unlinking, erasure.
 * Ten minutes are enough to read the page and decide, and as long as an access token lives.
 */
export const MAX_PROOF_AGE_SECONDS = 600;

/** Whether the newest proof of who the caller is, as the verified access token says, is at most so many seconds old. */
export function isRecentProof({ authTime }: Pick<Principal, 'authTime'>, maxAge: number): boolean {
  return Date.now() - authTime.getTime() <= maxAge * 1_000;
}
