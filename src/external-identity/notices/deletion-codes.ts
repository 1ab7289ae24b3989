import { randomBytes, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHash, keyedHashes } from '../../platform/crypto/index.js';

/** Seconds since 1970, eight random digits, and 32 of a keyed hash: all hexadecimal. */
const CODE = /^([0-9a-f]{8})([0-9a-f]{8})([0-9a-f]{32})$/;

/**
 * Confirmation codes of deletions. A deletion is done when its request is answered, so that the
 * code itself says when, and nothing about the person has to be kept.
 */
@Injectable()
export class DeletionCodes {
  constructor(private readonly keys: KeyDerivation) {}

  create(): string {
    const seconds = Math.floor(Date.now() / 1_000)
      .toString(16)
      .padStart(8, '0');
    const body = `${seconds}${randomBytes(4).toString('hex')}`;
    return `${body}${keyedHash(this.keys, 'deletion-code', body).toString('hex').slice(0, 32)}`;
  }

  /** @returns the time of the deletion; null for a code that is not ours */
  read(code: string): Date | null {
    const [, seconds = '', random = '', mac = ''] = CODE.exec(code) ?? [];
    if (mac === '') return null;
    const given = Buffer.from(mac, 'hex');
    const isOurs = keyedHashes(this.keys, 'deletion-code', `${seconds}${random}`).some((hash) =>
      timingSafeEqual(hash.subarray(0, given.length), given),
    );
    return isOurs ? new Date(Number.parseInt(seconds, 16) * 1_000) : null;
  }
}
