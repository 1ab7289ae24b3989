import { createHmac, createSecretKey, hash, hkdfSync, type KeyObject } from 'node:crypto';
import type { Secret } from '../config/index.js';
import type { KeyPurpose } from '../../kernel/index.js';

/** Computes HMAC-SHA-256 (RFC 2104). The key is prepared once: that saves a quarter of each MAC. */
export class Mac {
  private readonly key: KeyObject;

  constructor(key: Buffer) {
    this.key = createSecretKey(key);
  }

  /** Returns the 32 bytes of the MAC. */
  of(text: string): Buffer {
    return createHmac('sha256', this.key).update(text).digest();
  }
}

/** Derived key, and its public id: the first 8 hex digits of its SHA-256. */
export interface Subkey {
  readonly id: string;
  readonly key: Buffer;
  /** Computes MACs with the key. */
  readonly mac: Mac;
}

/**
 * Derives subkeys from the root secret, and from each of the other ones that this deployment reads,
 * by HKDF-SHA-256 (RFC 5869).
 */
export class KeyDerivation {
  private readonly derived = new Map<KeyPurpose, readonly [Subkey, ...Subkey[]]>();

  private readonly others: readonly Secret<Buffer>[];

  constructor(
    private readonly current: Secret<Buffer>,
    ...others: Secret<Buffer>[]
  ) {
    this.others = others;
  }

  /**
   * Returns the subkeys of a purpose, the current one first. New values use the current one; the
   * other ones still verify and decrypt.
   */
  subkeys(purpose: KeyPurpose): readonly [Subkey, ...Subkey[]] {
    let keys = this.derived.get(purpose);
    if (!keys) {
      keys = [derive(this.current, purpose), ...this.others.map((other) => derive(other, purpose))];
      this.derived.set(purpose, keys);
    }
    return keys;
  }
}

function derive(root: Secret<Buffer>, purpose: KeyPurpose): Subkey {
  const key = Buffer.from(hkdfSync('sha256', root.reveal(), 'gatehouse', `gatehouse/v1/${purpose}`, 32));
  return { key, mac: new Mac(key), id: hash('sha256', key, 'hex').slice(0, 8) };
}
