import { createCipheriv, createDecipheriv, randomFillSync } from 'node:crypto';
import type { KeyDerivation } from './key-derivation.js';
import type { KeyPurpose } from '../../kernel/index.js';

const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Random bytes, fetched for many values at once: a call for each would be half of their time. */
const POOL = Buffer.alloc(IV_BYTES * 512);
let used = POOL.length;

/** Returns random bytes that no other value gets. */
function nextIv(): Buffer {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  used += IV_BYTES;
  // A copy: the pool is filled again while the caller may still have them.
  return Buffer.from(POOL.subarray(used - IV_BYTES, used));
}

/** Error of a value that was sealed under an unknown root secret, or was changed. */
export class UnknownSeal extends Error {
  override readonly name = 'UnknownSeal';
}

/** Encrypts values at rest by AES-256-GCM under the subkey of one purpose. */
export class Sealer {
  constructor(
    private readonly keys: KeyDerivation,
    private readonly purpose: KeyPurpose,
  ) {}

  /** @returns base64 of IV, tag and ciphertext */
  seal(plain: string): string {
    const iv = nextIv();
    const cipher = createCipheriv('aes-256-gcm', this.keys.subkeys(this.purpose)[0].key, iv);
    const body = cipher.update(plain, 'utf8');
    cipher.final(); // computes the tag; this mode leaves no bytes for the end
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  }

  /**
   * Decrypts a sealed value.
   * @throws {UnknownSeal} if it was sealed under an unknown root secret, or was changed
   */
  open(sealed: string): string {
    const bytes = Buffer.from(sealed, 'base64');
    for (const { key } of this.keys.subkeys(this.purpose)) {
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return Buffer.concat([
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)),
          decipher.final(),
        ]).toString('utf8');
      } catch {
        // Sealed under another subkey, or changed.
      }
    }
    throw new UnknownSeal(
      `A sealed value (${this.purpose}) cannot be decrypted with ROOT_SECRET or ROOT_SECRET_PREVIOUS.`,
    );
  }
}
