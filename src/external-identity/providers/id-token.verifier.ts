import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { requireSubject } from './provider-http.js';
import { ProviderKeys } from './provider-keys.js';
import { SignInError } from './provider.js';

interface Expected {
  /** Accepted issuers. */
  readonly issuers: readonly string[];
  readonly audience: string;
  readonly nonce: string;
  /** The access token issued with the ID token. */
  readonly accessToken?: string | undefined;
  /** Seconds within which the person must have authenticated, if the request asked for it. */
  readonly maxAgeSeconds?: number | undefined;
}

/** Clock skew, and maximum age of a token: a flow lasts ten minutes (OIDC-5). */
const CLOCK_SECONDS = 60;
const MAX_TOKEN_AGE_SECONDS = 600;

/** Verifies ID tokens of one provider, which may have several issuers. */
export class IdTokenVerifier {
  private readonly keys: ProviderKeys;

  constructor(
    http: OutboundHttp,
    readonly jwksUrl: string,
    private readonly algorithms: readonly string[],
  ) {
    this.keys = new ProviderKeys(http, new URL(jwksUrl));
  }

  /** @throws {SignInError} */
  async verify(
    idToken: string,
    { issuers, audience, nonce, accessToken, maxAgeSeconds }: Expected,
  ): Promise<JWTPayload & { readonly sub: string }> {
    try {
      const { jwtVerify } = await import('jose'); // loaded only if a provider needs it
      const { payload, protectedHeader } = await jwtVerify<{ azp?: unknown }>(idToken, this.keys.find, {
        algorithms: [...this.algorithms],
        issuer: [...issuers],
        audience,
        clockTolerance: CLOCK_SECONDS,
        maxTokenAge: MAX_TOKEN_AGE_SECONDS,
        requiredClaims: ['sub', 'exp'],
      });
      const { sub, aud, azp } = payload;
      // This service must be the only audience (OIDC-2).
      const isOurs = [aud].flat().length === 1 && (azp === undefined || azp === audience);
      if (!isOurs || payload['nonce'] !== nonce)
        throw new Error('The ID token is for another app or another flow.');
      if (accessToken !== undefined) checkAccessTokenHash(payload, protectedHeader.alg, accessToken);
      if (maxAgeSeconds !== undefined) checkAuthenticationTime(payload, maxAgeSeconds);
      return { ...payload, sub: requireSubject(sub) };
    } catch (error) {
      throw error instanceof SignInError ? error : new SignInError('invalid_response', error);
    }
  }
}

/**
 * Checks `at_hash`, if present: the access token was issued with the ID token (OpenID Connect Core
 * 3.1.3.8).
 * @param alg signature algorithm, which determines the hash
 */
function checkAccessTokenHash({ at_hash: said }: JWTPayload, alg: string, accessToken: string): void {
  if (said === undefined) return;
  const bits = /(?:256|384|512)$/.exec(alg)?.[0] ?? '512'; // Ed25519 hashes by SHA-512 (RFC 8032 section 5.1)
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (said !== hash.subarray(0, hash.length / 2).toString('base64url'))
    throw new Error('The ID token was issued with another access token.');
}

/** Checks `auth_time` against the requested maximum age (OpenID Connect Core 3.1.2.1, 3.1.3.7). */
function checkAuthenticationTime({ auth_time: authTime }: JWTPayload, maxAgeSeconds: number): void {
  const now = Date.now() / 1_000;
  if (typeof authTime !== 'number' || authTime > now + CLOCK_SECONDS)
    throw new Error('The ID token does not say when the person authenticated.');
  if (authTime < now - CLOCK_SECONDS - maxAgeSeconds)
    throw new Error('The person authenticated too long ago.');
}
