import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation } from '../../platform/crypto/index.js';

/** Seconds after which a new nonce is sent; each is accepted for as long again. */
const PERIOD_SECONDS = 120;

/**
 * Nonces of proofs (RFC 9449 section 8): a time and its MAC, so that each replica accepts those of
 * all others, and none is stored.
 */
@Injectable()
export class DpopNonces {
  constructor(private readonly keys: KeyDerivation) {}

  /** Returns the nonce that is sent now. */
  current(): string {
    return this.encode(this.keys.subkeys('dpop-nonce')[0].key, periodNow());
  }

  /** Returns whether a nonce is the current one or the one before. */
  accepts(nonce: string): boolean {
    const period = periodNow();
    return this.keys
      .subkeys('dpop-nonce')
      .some(({ key }) => [period, period - 1].some((one) => isSameText(nonce, this.encode(key, one))));
  }

  private encode(key: Buffer, period: number): string {
    return createHmac('sha256', key).update(`v1|${period}`).digest('base64url');
  }
}

const periodNow = (): number => Math.floor(Date.now() / 1_000 / PERIOD_SECONDS);
