import { createHash, timingSafeEqual } from 'node:crypto';

/** The S256 challenge of a PKCE verifier (RFC 7636 section 4.2): 43 characters of base64url. */
export function codeChallengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

/** Whether this is the verifier that the challenge was made of (RFC 7636 section 4.6). */
export function fitsChallenge(codeVerifier: string, codeChallenge: string): boolean {
  const presented = Buffer.from(codeChallengeOf(codeVerifier));
  const expected = Buffer.from(codeChallenge);
  return presented.length === expected.length && timingSafeEqual(presented, expected);
}
