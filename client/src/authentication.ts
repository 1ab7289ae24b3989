/**
 * Strength of a sign-in: `aal1`, one factor; `aal2`, two factors; `phr`, a passkey with user
 * verification.
 */
export type Acr = 'aal1' | 'aal2' | 'phr';

/** How strong and how recent a sign-in has to be. */
export interface AuthenticationNeed {
  readonly acr?: Acr;
  /** Maximum age in seconds: of the last proof, or with `acr` of the last one of that strength. */
  readonly maxAge?: number;
}

/** Times of the last proofs of a sign-in, by their strength. */
export interface Evidence {
  /** Time of the last proof; null for a service account, which does not sign in. */
  readonly authenticatedAt: Date | null;
  /** Time of the last proof of two factors or by passkey; null for a sign-in by one factor. */
  readonly aal2At: Date | null;
  /** Time of the last proof by passkey; null without one. */
  readonly phrAt: Date | null;
}

/** Returns whether a sign-in is as strong and as recent as needed. */
export function isSufficient(evidence: Evidence, { acr = 'aal1', maxAge }: AuthenticationNeed): boolean {
  const { authenticatedAt, aal2At, phrAt } = evidence;
  const provenAt = { aal1: authenticatedAt, aal2: aal2At, phr: phrAt }[acr];
  if (provenAt === null) return false;
  return maxAge === undefined || Date.now() - provenAt.getTime() <= maxAge * 1_000;
}

/** Reads the claims about the sign-in. */
export function evidenceOf(claims: Readonly<Record<string, unknown>>): Evidence {
  return {
    authenticatedAt: toDate(claims['auth_time']),
    aal2At: toDate(claims['aal2_time']),
    phrAt: toDate(claims['phr_time']),
  };
}

/** Reads an access token that the service has just issued, without verifying it. */
export function readEvidence(accessToken: string): Evidence {
  const payload = (accessToken.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
  return evidenceOf(JSON.parse(atob(payload)) as Record<string, unknown>);
}

const toDate = (seconds: unknown): Date | null =>
  Number.isSafeInteger(seconds) && Number(seconds) >= 0 ? new Date(Number(seconds) * 1_000) : null;
