import { Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation, type Mac } from '../../platform/crypto/index.js';

/** Content of a refresh token. */
export interface RefreshTokenContent {
  readonly grantId: string;
  readonly generation: number;
}

const FORMAT = /^ghr_([0-9A-HJKMNP-TV-Z]{26})\.([1-9]\d{0,9})\.([A-Za-z0-9_-]{43})$/;

/**
 * Encodes and verifies refresh tokens: grant, generation and a MAC. The database stores no token.
 * The MAC distinguishes a forged token from an old one, so that an attacker cannot end a session by
 * naming its grant (RFC 9700 section 4.14.2).
 */
@Injectable()
export class RefreshTokenCodec {
  constructor(private readonly keys: KeyDerivation) {}

  /**
   * Returns the token of this generation. The same input returns the same text, which makes refresh
   * idempotent.
   */
  encode({ grantId, generation }: RefreshTokenContent): string {
    const [{ mac }] = this.keys.subkeys('refresh-token');
    return `ghr_${grantId}.${generation}.${tagOf(mac, grantId, generation)}`;
  }

  /**
   * Verifies a refresh token.
   * @returns null unless this service issued the token, in exactly this spelling
   */
  decode(token: string): RefreshTokenContent | null {
    const found = FORMAT.exec(token);
    if (!found) return null;
    const [, grantId = '', digits, tag = ''] = found;
    const generation = Number(digits);
    const authentic = this.keys
      .subkeys('refresh-token')
      .some(({ mac }) => isSameText(tag, tagOf(mac, grantId, generation)));
    return authentic ? { grantId, generation } : null;
  }
}

function tagOf(mac: Mac, grantId: string, generation: number): string {
  return mac.of(`v1|${grantId}|${generation}`).toString('base64url');
}
