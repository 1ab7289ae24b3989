import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new secret of 256 bits, recognisable to whoever scans repositories for leaked ones, and what is stored in its place. */
export function createClientSecret(): { readonly plainSecret: string; readonly secretHash: Buffer } {
  const plainSecret = `ghs_${randomBytes(32).toString('base64url')}`;
  return { plainSecret, secretHash: hashClientSecret(plainSecret) };
}

/** A plain hash suffices: the secret has 256 bits of its own. */
function hashClientSecret(plainSecret: string): Buffer {
  return createHash('sha256').update(plainSecret).digest();
}

/** Whether the secret is one of those whose hashes are stored. Takes as long for none as for two. */
export function isClientSecret(plainSecret: string, stored: readonly (Buffer | null)[]): boolean {
  const presented = hashClientSecret(plainSecret);
  const nothing = Buffer.alloc(presented.length);
  return stored.map((hash) => timingSafeEqual(hash ?? nothing, presented)).includes(true);
}
