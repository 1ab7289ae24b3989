import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isSameText, KeyDerivation } from '../../platform/crypto/index.js';

/** Which generation of which grant a refresh token stands for. */
export interface RefreshTokenContent {
  readonly grantId: string;
  readonly generation: number;
}

const FORMAT = /^ghr_([0-9A-HJKMNP-TV-Z]{26})\.([1-9]\d{0,9})\.([A-Za-z0-9_-]{43})$/;

/**
 * Refresh tokens are authentic by construction: grant, generation and a MAC. The database stores no secret, and a forgery is told from
 * an old token, so that nobody can end a session by naming it (RFC 9700 section 4.14.2).
 */
@Injectable()
export class RefreshTokenCodec {
  constructor(private readonly keys: KeyDerivation) {}

  /** The one token of this generation: asking twice gives the same text, which makes refresh idempotent. */
  encode({ grantId, generation }: RefreshTokenContent): string {
    const [{ key }] = this.keys.subkeys('refresh-token');
    return `ghr_${grantId}.${generation}.${mac(key, grantId, generation)}`;
  }

  /** Null for anything that this service did not make, which includes every other spelling of a token that it did. */
  decode(token: string): RefreshTokenContent | null {
    const [, grantId, digits, tag] = FORMAT.exec(token) ?? [];
    if (grantId === undefined || tag === undefined) return null;
    const generation = Number(digits);
    const authentic = this.keys
      .subkeys('refresh-token')
      .some(({ key }) => isSameText(tag, mac(key, grantId, generation)));
    return authentic ? { grantId, generation } : null;
  }
}

function mac(key: Buffer, grantId: string, generation: number): string {
  return createHmac('sha256', key).update(`v1|${grantId}|${generation}`).digest('base64url');
}
