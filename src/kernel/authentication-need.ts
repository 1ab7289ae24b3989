import type { Acr } from './acr.js';
import type { PersonPrincipal } from './principal.js';

/** How recent and how strong a sign-in has to be. */
export interface AuthenticationNeed {
  /**
   * Maximum age in seconds: of the last proof, or with `acr` of the last proof of that strength. A
   * recent password does not make an old second factor recent.
   */
  readonly maxAge?: number;
  /** `aal2-if-enrolled`: `aal2` from people who have a second factor. */
  readonly acr?: Acr | 'aal2-if-enrolled';
}

/**
 * Maximum age of a sign-in, in seconds, for what would give the thief of a session lasting access
 * or destroy the account. Ten minutes: enough to read the page and decide, and the lifetime of an
 * access token.
 */
export const MAX_PROOF_AGE_SECONDS = 600;

/** For authenticators, identities, ownership and erasure. */
export const SENSITIVE = { maxAge: MAX_PROOF_AGE_SECONDS, acr: 'aal2-if-enrolled' } as const;

/** Times of the proofs of a session. */
export type Evidence = Pick<PersonPrincipal, 'authTime' | 'aal2Time' | 'phrTime'>;

/** Returns the strength of the caller's sign-in. */
export function acrOf({ aal2Time, phrTime }: Pick<Evidence, 'aal2Time' | 'phrTime'>): Acr {
  if (phrTime !== null) return 'phr';
  return aal2Time === null ? 'aal1' : 'aal2';
}

/**
 * Compares the evidence of a verified access token with a need.
 * @param acr strength that is required of this person
 * @param maxAge seconds; undefined for any age
 */
export function isSufficient(evidence: Evidence, acr: Acr, maxAge: number | undefined): boolean {
  const provenAt = provenTimeOf(evidence, acr);
  if (provenAt === null) return false;
  return maxAge === undefined || Date.now() - provenAt.getTime() <= maxAge * 1_000;
}

/** Returns the time of the last proof of at least this strength; null without one. */
function provenTimeOf({ authTime, aal2Time, phrTime }: Evidence, acr: Acr): Date | null {
  if (acr === 'aal1') return authTime;
  return acr === 'aal2' ? aal2Time : phrTime;
}
