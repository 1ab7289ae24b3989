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
}

/** Clocks differ; a token is minutes old at most when it arrives by a flow that lasts ten (security bar OIDC-5). */
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
    { issuers, audience, nonce }: Expected,
  ): Promise<JWTPayload & { readonly sub: string }> {
    try {
      const { jwtVerify } = await import('jose'); // for whoever has such a provider
      const { payload } = await jwtVerify<{ azp?: unknown }>(idToken, this.keys.find, {
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
