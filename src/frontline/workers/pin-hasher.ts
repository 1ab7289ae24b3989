import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import bcrypt from 'bcrypt';
import { PasswordHasher } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { KeyDerivation } from '../../platform/crypto/index.js';

/**
 * Cost of bcrypt: 10 ms. Not the cost protects a PIN, of which there are a million, but the key: a
 * stolen database without it allows no guess (docs/security-model.md).
 */
const COST = 8;
const SCHEME = /^p1\$([0-9a-f]{8})\$(\$2b\$\d\d\$.{53})$/;

/** Hashes PINs: bcrypt of an HMAC under a key of their purpose, which is not in the database. */
@Injectable()
export class PinHasher {
  /** Stored form that no PIN fits. */
  private readonly dummy: string;

  constructor(
    private readonly keys: KeyDerivation,
    private readonly hasher: PasswordHasher,
  ) {
    this.dummy = `p1$${keys.subkeys('worker-pin')[0].id}$${bcrypt.genSaltSync(COST)}${'.'.repeat(31)}`;
  }

  /**
   * @param network of the request: hashes of all networks take turns with those of passwords
   * @returns the stored form
   * @throws {AppError} unavailable if too many hashes wait
   */
  hash(userId: UserId, pin: string, network: string): Promise<string> {
    const [{ id, key }] = this.keys.subkeys('worker-pin');
    const input = inputOf(key, userId, pin);
    return this.hasher.run(network, async () => `p1$${id}$${await bcrypt.hash(input, COST)}`);
  }

  /**
   * Compares a PIN with a stored form. Costs one hash, also if there is none.
   * @throws {AppError} unavailable if too many hashes wait
   */
  async verify(userId: UserId, pin: string, stored: string | null, network: string): Promise<boolean> {
    const [, id, hash = ''] = SCHEME.exec(stored ?? this.dummy) ?? SCHEME.exec(this.dummy) ?? [];
    const key = this.keys.subkeys('worker-pin').find((known) => known.id === id);
    const input = inputOf((key ?? this.keys.subkeys('worker-pin')[0]).key, userId, pin);
    const presented = Buffer.from(
      await this.hasher.run(network, () => bcrypt.hash(input, hash.slice(0, 29))),
    );
    const expected = Buffer.from(hash);
    const fits = presented.length === expected.length && timingSafeEqual(presented, expected);
    return fits && key !== undefined;
  }
}

/** 44 characters, below the 72 that bcrypt reads. */
const inputOf = (key: Buffer, userId: UserId, pin: string): string =>
  createHmac('sha256', key).update(`${userId}|${pin}`).digest('base64');
