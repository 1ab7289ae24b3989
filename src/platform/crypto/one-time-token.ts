import { createHash, randomBytes } from 'node:crypto';

/** A new 256-bit token (for a mail link, a code, a cookie, a form or a state) and the hash that is stored in its place (security bar 5g). */
export function createOneTimeToken(): { readonly plainToken: string; readonly tokenHash: Buffer } {
  const plainToken = randomBytes(32).toString('base64url');
  return { plainToken, tokenHash: hashOneTimeToken(plainToken) };
}

/** The stored form of a presented token. A plain hash suffices: the token has 256 bits of its own. */
export function hashOneTimeToken(plainToken: string): Buffer {
  return createHash('sha256').update(plainToken).digest();
}
