import { createHmac } from 'node:crypto';
import type { KeyDerivation } from './key-derivation.js';
import type { KeyPurpose } from '../../kernel/index.js';

/** As many bytes of a hash are a name: enough that no two people share one. */
const NAME_BYTES = 16;

/** HMAC-SHA-256 under the current subkey, cut to 16 bytes: a name for personal data that says nothing without the key. */
export function keyedHash(keys: KeyDerivation, purpose: KeyPurpose, value: string): Buffer {
  return keyedHashes(keys, purpose, value)[0];
}

/** Under every subkey, the current one first: all the names that something may have, while the root secret is being changed. */
export function keyedHashes(keys: KeyDerivation, purpose: KeyPurpose, value: string): [Buffer, ...Buffer[]] {
  const named = ({ key }: { readonly key: Buffer }) =>
    createHmac('sha256', key).update(value).digest().subarray(0, NAME_BYTES);
  const [current, ...previous] = keys.subkeys(purpose);
  return [named(current), ...previous.map(named)];
}
