import { type KeyObject, sign } from 'node:crypto';
import { type SigningKey, SigningKeyService } from '../signing-keys/signing-key.service.js';
import { Inject, Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { newId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { RsaKeys } from '../signing-keys/rsa-keys.js';
import { findTokenKey, isCanonical, isTooLong, type TokenKey } from './token-form.js';

/** Type of access tokens (RFC 9068 section 2.1). */
const ACCESS_TOKEN_TYPE = 'at+jwt';

export interface TokenFrame {
  /** For whom the token is: it is refused for any other audience. */
  readonly audience: string;
  readonly subject: string;
  readonly seconds: number;
}

/** Signs access tokens by the RFC 9068 profile, and verifies those for an audience of their own. */
@Injectable()
export class TokenSigner {
  constructor(
    private readonly jwt: JwtService,
    private readonly keys: SigningKeyService,
    private readonly rsaKeys: RsaKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  sign(claims: object, frame: TokenFrame): string {
    return signJwt(this.keys.current, ACCESS_TOKEN_TYPE, this.contentOf(claims, frame));
  }

  /** Signs an access token by the algorithm that its client or its API asks for. */
  async signBy(alg: TokenKey['alg'], claims: object, frame: TokenFrame): Promise<string> {
    return this.signJwtBy(alg, ACCESS_TOKEN_TYPE, this.contentOf(claims, frame));
  }

  /**
   * Signs claims by an algorithm: RS256 in another thread, as it takes two milliseconds.
   * @param typ type of the token (RFC 7515 section 4.1.9)
   */
  async signJwtBy(
    alg: TokenKey['alg'],
    typ: string,
    content: Readonly<Record<string, unknown>>,
  ): Promise<string> {
    if (alg === 'ES256') return signJwt(this.keys.current, typ, content);
    const { SignJWT } = await import('jose');
    const { kid, privateKey } = await this.rsaKeys.getCurrent();
    return new SignJWT(content).setProtectedHeader({ alg, kid, typ }).sign(privateKey);
  }

  /** Returns the public key of a token; null for one that is not of the set of its algorithm. */
  async findPublicKey({ alg, kid }: TokenKey): Promise<KeyObject | null> {
    if (alg === 'RS256') return this.rsaKeys.find(kid);
    return (await this.keys.find(kid))?.publicKey ?? null;
  }

  private contentOf(
    claims: object,
    { audience, subject, seconds }: TokenFrame,
  ): Readonly<Record<string, unknown>> {
    const iat = Math.floor(Date.now() / 1_000);
    return {
      ...claims,
      iat,
      exp: iat + seconds,
      aud: audience,
      iss: this.settings.PUBLIC_URL,
      sub: subject,
      jti: newId(),
    };
  }

  /**
   * Verifies the signature, the issuer, the audience and the times of a token.
   * @returns its claims; null if it is refused
   */
  async verify(token: string, audience: string): Promise<Record<string, unknown> | null> {
    const key = isTooLong(token) ? null : findTokenKey(token);
    const publicKey = key && isCanonical(token, key) ? await this.findPublicKey(key) : null;
    if (!key || !publicKey) return null;
    try {
      return this.jwt.verify<Record<string, unknown>>(token, {
        secret: publicKey as never, // the library accepts key objects; its type names only strings and buffers
        algorithms: [key.alg],
        issuer: this.settings.PUBLIC_URL,
        audience,
      });
    } catch {
      return null;
    }
  }
}

/** Encoded headers of a key, by the type of the token. */
const headers = new WeakMap<KeyObject, Map<string, string>>();

type Signer = Pick<SigningKey, 'kid' | 'privateKey'>;

/**
 * Signs claims by ES256 (RFC 7518 section 3.4). In the calling thread: passing 50 µs of work to
 * another one takes longer.
 * @param typ type of the token (RFC 7515 section 4.1.9)
 * @returns a JWT in the compact form
 */
export function signJwt(key: Signer, typ: string, claims: object): string {
  const content = `${headerOf(key, typ)}.${encode(claims)}`;
  const signature = sign('sha256', Buffer.from(content, 'latin1'), {
    key: key.privateKey,
    dsaEncoding: 'ieee-p1363',
  });
  return `${content}.${signature.toString('base64url')}`;
}

function headerOf({ kid, privateKey }: Signer, typ: string): string {
  const known = headers.get(privateKey) ?? new Map<string, string>();
  let header = known.get(typ);
  if (header === undefined) {
    header = encode({ alg: 'ES256', typ, kid });
    headers.set(privateKey, known.set(typ, header));
  }
  return header;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part), 'utf8').toString('base64url');
