import { createHash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { requireSubject } from './provider-http.js';
import { ProviderKeys } from './provider-keys.js';
import { SignInError } from './provider.js';

interface Expected {
  /** Any of them. */
  readonly issuers: readonly string[];
  readonly audience: string;
  readonly nonce: string;
  /** The access token that came with it. */
  readonly accessToken?: string | undefined;
  /** Seconds within which the person must have authenticated, where the request asked for it. */
  readonly maxAgeSeconds?: number | undefined;
}

/**
 * Clocks differ; a token is minutes old at most when it arrives by a flow that lasts ten (security
 * bar OIDC-5).
 */
const CLOCK_SECONDS = 60;
const OLDEST_TOKEN_SECONDS = 600;

/** ID tokens of one provider, which may go by more than one name. */
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
      const { jwtVerify } = await import('jose'); // for whoever has such a provider
      const { payload, protectedHeader } = await jwtVerify<{ azp?: unknown }>(idToken, this.keys.find, {
        algorithms: [...this.algorithms],
        issuer: [...issuers],
        audience,
        clockTolerance: CLOCK_SECONDS,
        maxTokenAge: OLDEST_TOKEN_SECONDS,
        requiredClaims: ['sub', 'exp'],
      });
      const { sub, aud, azp } = payload;
      // Meant for us and for nobody else (OIDC-2)
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
 * The access token is the one that the ID token was issued with, where the ID token says so (OpenID
 * Connect Core 3.1.3.8).
 * @param alg by whose hash it says so
 */
function checkAccessTokenHash({ at_hash: said }: JWTPayload, alg: string, accessToken: string): void {
  if (said === undefined) return;
  const bits = /(?:256|384|512)$/.exec(alg)?.[0] ?? '512'; // Ed25519 hashes by SHA-512 (RFC 8032 section 5.1)
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (said !== hash.subarray(0, hash.length / 2).toString('base64url'))
    throw new Error('The ID token was issued with another access token.');
}

/**
 * The person has authenticated within the time that was asked for (OpenID Connect Core 3.1.2.1 and
 * 3.1.3.7).
 */
function checkAuthenticationTime({ auth_time: authTime }: JWTPayload, maxAgeSeconds: number): void {
  const now = Date.now() / 1_000;
  if (typeof authTime !== 'number' || authTime > now + CLOCK_SECONDS)
    throw new Error('The ID token does not say when the person authenticated.');
  if (authTime < now - CLOCK_SECONDS - maxAgeSeconds)
    throw new Error('The person authenticated too long ago.');
}
