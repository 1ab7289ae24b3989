import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Creates a secret of 256 random bits. The prefix `ghs_` lets scanners of repositories recognise a
 * leaked one.
 * @returns the secret for the client, and the hash that is stored
 */
export function createClientSecret(): { readonly plainSecret: string; readonly secretHash: Buffer } {
  const plainSecret = `ghs_${randomBytes(32).toString('base64url')}`;
  return { plainSecret, secretHash: hashClientSecret(plainSecret) };
}

/** A plain SHA-256 suffices: 256 random bits cannot be guessed. */
function hashClientSecret(plainSecret: string): Buffer {
  return hash('sha256', plainSecret, 'buffer');
}

/**
 * Compares the secret with the stored hashes in constant time, also if none is stored.
 * @returns true if one of them matches
 */
export function matchesClientSecret(plainSecret: string, stored: readonly (Buffer | null)[]): boolean {
  const presented = hashClientSecret(plainSecret);
  const absent = Buffer.alloc(presented.length);
  return stored.map((known) => timingSafeEqual(known ?? absent, presented)).includes(true);
}
