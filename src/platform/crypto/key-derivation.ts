import { createHash, hkdfSync } from 'node:crypto';
import type { Secret } from '../config/index.js';
import type { KeyPurpose } from '../../kernel/index.js';

/** A subkey and the short public name of the root secret it comes from. */
export interface Subkey {
  readonly id: string;
  readonly key: Buffer;
}

/** Derives subkeys from the root secret by HKDF-SHA-256 (RFC 5869). The current secret comes first, then the previous. */
export class KeyDerivation {
  private readonly derived = new Map<KeyPurpose, readonly [Subkey, ...Subkey[]]>();

  constructor(
    private readonly current: Secret<Buffer>,
    private readonly previous?: Secret<Buffer>,
  ) {}

  /** Every subkey that may still verify or open; the first one is the one to make new values with. */
  subkeys(purpose: KeyPurpose): readonly [Subkey, ...Subkey[]] {
    let keys = this.derived.get(purpose);
    if (!keys) {
      keys = [derive(this.current, purpose), ...(this.previous ? [derive(this.previous, purpose)] : [])];
      this.derived.set(purpose, keys);
    }
    return keys;
  }
}

function derive(root: Secret<Buffer>, purpose: KeyPurpose): Subkey {
  const key = Buffer.from(hkdfSync('sha256', root.reveal(), 'gatehouse', `gatehouse/v1/${purpose}`, 32));
  return { key, id: createHash('sha256').update(key).digest('hex').slice(0, 8) };
}
