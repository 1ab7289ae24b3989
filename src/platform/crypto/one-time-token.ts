import { hash, randomBytes } from 'node:crypto';

/**
 * Creates a random 256-bit token, for a mail link, code, cookie, form or state, and the hash that
 * is stored in its place (PW-6, CODE-6).
 */
export function createOneTimeToken(): { readonly plainToken: string; readonly tokenHash: Buffer } {
  const plainToken = randomBytes(32).toString('base64url');
  return { plainToken, tokenHash: hashOneTimeToken(plainToken) };
}

/** Hashes a presented token (SHA-256). A plain hash suffices, as the token has 256 random bits. */
export function hashOneTimeToken(plainToken: string): Buffer {
  return hash('sha256', plainToken, 'buffer');
}
