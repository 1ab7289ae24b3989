import { createHash } from 'node:crypto';
import { isSameText } from './same-text.js';

/**
 * Returns the S256 challenge of a PKCE verifier (RFC 7636 section 4.2): 43 characters of base64url.
 */
export function codeChallengeOf(codeVerifier: string): string {
  return createHash('sha256').update(codeVerifier).digest('base64url');
}

/** Checks a PKCE verifier against a challenge (RFC 7636 section 4.6). */
export function fitsChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return isSameText(codeChallengeOf(codeVerifier), codeChallenge);
}
