import type { KeyDerivation, Subkey } from './key-derivation.js';
import type { KeyPurpose } from '../../kernel/index.js';

/** Length of the truncated hash: 128 bits, so that no two values collide. */
const HASH_BYTES = 16;

/**
 * Returns a pseudonym of personal data, which reveals nothing without the key: HMAC-SHA-256 under
 * the current subkey, truncated to 16 bytes.
 */
export function keyedHash(keys: KeyDerivation, purpose: KeyPurpose, value: string): Buffer {
  return keyedHashes(keys, purpose, value)[0];
}

/**
 * Returns the pseudonyms of a value under all subkeys, the current one first: rows written before
 * the root secret was changed have the previous one.
 */
export function keyedHashes(keys: KeyDerivation, purpose: KeyPurpose, value: string): [Buffer, ...Buffer[]] {
  const hashWith = ({ mac }: Subkey) => mac.of(value).subarray(0, HASH_BYTES);
  const [current, ...previous] = keys.subkeys(purpose);
  return [hashWith(current), ...previous.map(hashWith)];
}
