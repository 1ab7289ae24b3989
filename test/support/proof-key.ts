import { createHash, randomUUID } from 'node:crypto';
import { calculateJwkThumbprint, exportJWK, type JWK, SignJWT } from 'jose';
import { randomDPoPKeyPair } from 'openid-client';

type KeyPair = Awaited<ReturnType<typeof randomDPoPKeyPair>>;

/** A key of a client, which makes proofs by hand (DPoP, RFC 9449). */
export class ProofKey {
  private constructor(
    readonly keys: KeyPair,
    readonly jwk: JWK,
    readonly jkt: string,
  ) {}

  static async create(): Promise<ProofKey> {
    const keys = await randomDPoPKeyPair('ES256', { extractable: true });
    const jwk = await exportJWK(keys.publicKey);
    return new ProofKey(keys, jwk, await calculateJwkThumbprint(jwk));
  }

  prove(
    claims: Readonly<Record<string, unknown>>,
    header: Readonly<Record<string, unknown>> = {},
  ): Promise<string> {
    return new SignJWT({ jti: randomUUID(), iat: Math.floor(Date.now() / 1_000), ...claims })
      .setProtectedHeader({ alg: 'ES256', typ: 'dpop+jwt', jwk: this.jwk, ...header })
      .sign(this.keys.privateKey);
  }
}

/** Returns the hash of an access token for `ath`. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64url');
