import { createHmac } from 'node:crypto';
import type { KeyDerivation, KeyPurpose } from './key-derivation.js';

/** HMAC-SHA-256 under the current subkey: a name for personal data that says nothing without the key. */
export function keyedHash(keys: KeyDerivation, purpose: KeyPurpose, value: string): Buffer {
  return createHmac('sha256', keys.subkeys(purpose)[0].key).update(value).digest();
}
