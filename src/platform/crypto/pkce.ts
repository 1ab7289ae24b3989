import { hash } from 'node:crypto';
import { isSameText } from './same-text.js';

/** A PKCE challenge by S256 (RFC 7636 section 4.2). */
export const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/** A PKCE verifier (RFC 7636 section 4.1). */
export const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/;

/**
 * Returns the S256 challenge of a PKCE verifier (RFC 7636 section 4.2): 43 characters of base64url.
 */
export function codeChallengeOf(codeVerifier: string): string {
  return hash('sha256', codeVerifier, 'base64url');
}

/** Checks a PKCE verifier against a challenge (RFC 7636 section 4.6). */
export function fitsChallenge(codeVerifier: string, codeChallenge: string): boolean {
  return isSameText(codeChallengeOf(codeVerifier), codeChallenge);
}
