import { hash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { JWK, JWTPayload } from 'jose';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { algorithmsOf, ASSERTION_ALGORITHMS } from './client-key.js';
import { ClientKeys } from './client-keys.js';
import { UsedAssertionRepository } from './used-assertion.repository.js';

/** Longest lifetime of an assertion, in seconds. */
const MAX_ASSERTION_SECONDS = 300;
/** FAPI 2.0 Security Profile section 5.3.2.1: `iat` of up to 10 seconds ahead is accepted. */
const CLOCK_TOLERANCE_SECONDS = 10;
/** Characters. A longer assertion is refused before it is parsed. */
const MAX_ASSERTION_LENGTH = 8_192;
const MAX_JTI_LENGTH = 255;
/** Types of assertions. Most libraries send none, or the one of any JWT (RFC 8725 section 3.11). */
const TYPES = /^(?:application\/)?(?:jwt|client-authentication\+jwt|oauth-client-auth\+jwt)$/i;

/** An assertion of a client, not verified. */
export interface ReadAssertion {
  readonly text: string;
  readonly clientId: string;
  readonly alg: string;
  readonly kid: string | undefined;
  /** Whether the audience is a text, and no list. */
  readonly hasOneAudience: boolean;
}

/** Public keys of a client: themselves, or where they are published. */
export interface AssertionKeys {
  readonly keys: readonly object[];
  readonly jwksUri: string | null;
}

/** Verifies assertions by which clients authenticate (RFC 7523 section 3). */
@Injectable()
export class ClientAssertions {
  constructor(
    private readonly keys: ClientKeys,
    private readonly used: UsedAssertionRepository,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Reads whose assertion it claims to be. @returns null if it is malformed */
  async read(text: string): Promise<ReadAssertion | null> {
    if (text.length > MAX_ASSERTION_LENGTH) return null;
    const { decodeJwt, decodeProtectedHeader } = await import('jose');
    try {
      const { sub: clientId, aud } = decodeJwt(text);
      const { alg, kid, typ = 'JWT' } = decodeProtectedHeader(text);
      if (typeof clientId !== 'string' || !ASSERTION_ALGORITHMS.includes(String(alg))) return null;
      if (!TYPES.test(typ)) return null;
      return { text, clientId, alg: String(alg), kid, hasOneAudience: typeof aud === 'string' };
    } catch {
      return null;
    }
  }

  /**
   * Accepts an assertion that one of the keys has signed: its audience is the issuer of this
   * service, it is valid for at most five minutes, and each `jti` once.
   */
  async accept(assertion: ReadAssertion, source: AssertionKeys): Promise<boolean> {
    const claims = await this.verify(assertion, source);
    if (claims === null) return false;
    const digest = hash('sha256', JSON.stringify([assertion.clientId, claims.jti]), 'buffer');
    return this.used.take(digest);
  }

  /** @returns the claims; null if no key has signed it, or a claim is not accepted */
  private async verify(
    { text, clientId, alg, kid }: ReadAssertion,
    source: AssertionKeys,
  ): Promise<JWTPayload | null> {
    const { importJWK, jwtVerify } = await import('jose');
    for (const jwk of await this.findKeys(source, kid)) {
      if (!algorithmsOf(jwk as Record<string, unknown>).includes(alg)) continue;
      try {
        const { payload } = await jwtVerify(text, await importJWK(jwk, alg), {
          algorithms: [alg],
          issuer: clientId,
          subject: clientId,
          audience: this.settings.PUBLIC_URL,
          clockTolerance: CLOCK_TOLERANCE_SECONDS,
          requiredClaims: ['exp', 'iat', 'jti'],
          maxTokenAge: MAX_ASSERTION_SECONDS,
        });
        return isAcceptable(payload) ? payload : null;
      } catch {
        // Another key may fit.
      }
    }
    return null;
  }

  private async findKeys({ keys, jwksUri }: AssertionKeys, kid: string | undefined): Promise<JWK[]> {
    if (keys.length > 0) return keys as JWK[];
    if (jwksUri === null) return [];
    const fits = (key: JWK) => kid === undefined || key.kid === undefined || key.kid === kid;
    try {
      const found = (await this.keys.find(jwksUri)).keys.filter(fits);
      return found.length > 0 ? found : (await this.keys.find(jwksUri, true)).keys.filter(fits);
    } catch {
      return [];
    }
  }
}

/** Times and id of an assertion, beyond what the library checks. */
function isAcceptable({ iat, exp, jti, aud }: JWTPayload): boolean {
  if (typeof iat !== 'number' || typeof exp !== 'number') return false;
  if (typeof jti !== 'string' || jti === '' || jti.length > MAX_JTI_LENGTH) return false;
  if (Array.isArray(aud) && aud.length !== 1) return false;
  return exp > iat && exp - iat <= MAX_ASSERTION_SECONDS;
}
