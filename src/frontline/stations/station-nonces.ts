import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation } from '../../platform/crypto/index.js';

/** Seconds for which a nonce can be used. */
export const NONCE_SECONDS = 120;

/**
 * Nonces of station proofs: a time, random bits and their MAC, so that none is stored before it is
 * used. They count once: {@link StationProofs} notes the use.
 */
@Injectable()
export class StationNonces {
  constructor(private readonly keys: KeyDerivation) {}

  /** Creates a nonce for a station, whether or not there is one of this id. */
  create(stationId: string): string {
    const content = `${Math.floor(Date.now() / 1_000)}.${randomBytes(16).toString('base64url')}`;
    return `${content}.${this.sign(stationId, content, 0)}`;
  }

  accepts(stationId: string, nonce: string): boolean {
    const found = /^((\d{1,12})\.[\w-]{22})\.([\w-]{43})$/.exec(nonce);
    if (!found) return false;
    const [, content = '', seconds, mac = ''] = found;
    const age = Date.now() / 1_000 - Number(seconds);
    const isGenuine = this.keys
      .subkeys('station-nonce')
      .some((_, n) => isSameText(mac, this.sign(stationId, content, n)));
    return isGenuine && age >= -NONCE_SECONDS && age <= NONCE_SECONDS;
  }

  private sign(stationId: string, content: string, n: number): string {
    const { mac } = this.keys.subkeys('station-nonce')[n] ?? this.keys.subkeys('station-nonce')[0];
    return mac.of(`${stationId}|${content}`).toString('base64url');
  }
}
