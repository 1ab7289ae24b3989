import { createRemoteJWKSet, customFetch, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { requireSubject, textOf } from './provider-http.js';
import { SignInError } from './provider.js';

interface Expected {
  /** Any of them. */
  readonly issuers: readonly string[];
  readonly audience: string;
  readonly nonce: string;
}

/** Clocks differ; a token is minutes old at most when it arrives by a flow that lasts ten (security bar OIDC-5). */
const CLOCK_SECONDS = 60;
const OLDEST_TOKEN_SECONDS = 600;

/**
 * ID tokens of a provider that is not discovered, and that may go by more than one name. Its keys are kept for ten minutes, and asked for again
 * because of an unknown one every thirty seconds at most (OIDC-8).
 */
export class IdTokenVerifier {
  private readonly keys: JWTVerifyGetKey;

  constructor(
    http: OutboundHttp,
    jwksUrl: URL,
    private readonly algorithms: readonly string[],
  ) {
    this.keys = createRemoteJWKSet(jwksUrl, {
      [customFetch]: async (url) => new Response(await textOf(http, new URL(url))),
    });
  }

  /** @throws {SignInError} */
  async verify(
    idToken: string,
    { issuers, audience, nonce }: Expected,
  ): Promise<JWTPayload & { readonly sub: string }> {
    try {
      const { payload } = await jwtVerify<{ azp?: unknown }>(idToken, this.keys, {
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
      return { ...payload, sub: requireSubject(sub) };
    } catch (error) {
      throw error instanceof SignInError ? error : new SignInError('invalid_response', error);
    }
  }
}
