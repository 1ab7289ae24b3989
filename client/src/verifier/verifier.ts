import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Scope, Verdicts } from '../abilities.js';
import { ProblemError } from '../errors.js';
import { Http } from '../http.js';
import { accessTokenOf, type AccessToken } from './access-token.js';
import { InvalidTokenError, UnavailableError } from './errors.js';

export interface VerifierOptions {
  /** The `iss` of the tokens: the `PUBLIC_URL` of the service. */
  readonly issuer: string;
  /** The `aud` of the tokens: the `TOKEN_AUDIENCE` of the service. */
  readonly audience: string;
  /** Where the service is reached from here, if not at the issuer's address. */
  readonly url?: string;
  /** How much clocks may differ. */
  readonly clockToleranceSeconds?: number;
  /** Longest lifetime of a token (`exp - iat`) that is accepted: 3600, or the service's `ACCESS_TOKEN_TTL` where that is longer. */
  readonly maxLifetimeSeconds?: number;
}

const MAX_TOKEN_LENGTH = 8_192;
const DEFAULT_MAX_LIFETIME_SECONDS = 3_600;
/**
 * The compact form (RFC 7515 section 3.1) in its only spelling. Decoders of base64url ignore whitespace and the bits of the last character
 * that carry nothing, which would give one token many texts.
 */
const COMPACT_FORM = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{85}[AQgw]$/;
/** Of the header, and nothing else. */
const HEADER = ['typ', 'alg', 'kid'];
const TIMEOUT_MS = 5_000;
/** Whoever sends tokens with key ids of their own has the keys fetched this often and no more. */
const COOLDOWN_MS = 5_000;

/**
 * Verifies access tokens for a service that is another process than Gatehouse. `verify` asks nobody: signature and claims alone, by keys
 * that are kept for ten minutes. So it takes a token until it expires, also after a logout or the end of a membership: at most ten minutes
 * (`ACCESS_TOKEN_TTL`) and the clock tolerance. `confirm` asks, and then that bound is Gatehouse's own: a second, five at worst.
 */
export class Verifier {
  readonly #options: Required<VerifierOptions>;
  readonly #keys: JWTVerifyGetKey;

  constructor(options: VerifierOptions) {
    this.#options = {
      url: options.issuer,
      clockToleranceSeconds: 5,
      maxLifetimeSeconds: DEFAULT_MAX_LIFETIME_SECONDS,
      ...options,
    };
    const remote = createRemoteJWKSet(
      new URL(`${this.#options.url.replace(/\/$/, '')}/.well-known/jwks.json`),
      {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: COOLDOWN_MS,
      },
    );
    this.#keys = (header, token) =>
      remote(header, token).catch((error: unknown) => {
        throw error instanceof errors.JWKSNoMatchingKey ? error : new UnavailableError(error);
      });
  }

  /**
   * @param token what follows `Bearer` in the Authorization header
   * @throws {InvalidTokenError}
   * @throws {UnavailableError} where the keys cannot be fetched
   */
  async verify(token: string): Promise<AccessToken> {
    const { issuer, audience, clockToleranceSeconds: clockTolerance, maxLifetimeSeconds } = this.#options;
    try {
      if (!looksLikeOurs(token)) throw new InvalidTokenError('another header');
      const { payload } = await jwtVerify(token, this.#keys, {
        algorithms: ['ES256'],
        typ: 'at+jwt',
        issuer,
        audience,
        clockTolerance,
      });
      return accessTokenOf(token, payload, maxLifetimeSeconds);
    } catch (error) {
      if (error instanceof UnavailableError || error instanceof InvalidTokenError) throw error;
      throw new InvalidTokenError(error);
    }
  }

  /**
   * Asks Gatehouse whether the session, the client and the membership that the token stands for still last. A request to the service for
   * each, counted as a read of the caller: for what must not happen after a logout.
   * @throws {InvalidTokenError} where they do not
   * @throws {UnavailableError}
   */
  async confirm(token: AccessToken): Promise<void> {
    await this.#ask(token, (http, signal) => http.call('get', '/api/v1/iam/me', [{ signal }]));
  }

  /**
   * Asks Gatehouse what the caller may do now, for scopes that are declared there. Answers as `confirm` does where the session has ended.
   * @param subject `<scheme>:///<module>/<collection>/<ulid>`; null to ask about the scopes alone
   * @throws {InvalidTokenError}
   * @throws {UnavailableError}
   */
  async can<S extends Scope>(
    token: AccessToken,
    subject: string | null,
    scopes: readonly S[],
  ): Promise<Verdicts<S>> {
    const body = { scopes: [...scopes], ...(subject !== null && { subject }) };
    const { data } = await this.#ask(token, (http, signal) =>
      http.call('post', '/api/auth/can', [{ body, signal }]),
    );
    return data as Verdicts<S>;
  }

  async #ask<T>(token: AccessToken, question: (http: Http, signal: AbortSignal) => Promise<T>): Promise<T> {
    const http = new Http(this.#options.url, (request) => {
      request.headers.set('authorization', `Bearer ${token.raw}`);
      return fetch(request);
    });
    try {
      return await question(http, AbortSignal.timeout(TIMEOUT_MS));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw new UnavailableError(error);
      if (error.code === 'unauthenticated') throw new InvalidTokenError(error);
      throw error.status >= 500 || error.status === 429 ? new UnavailableError(error) : error;
    }
  }
}

/** Only what Gatehouse signs: a header that brings a key along or names another place to find one is nobody's who is honest. */
function looksLikeOurs(token: string): boolean {
  if (typeof token !== 'string' || token.length > MAX_TOKEN_LENGTH || !COMPACT_FORM.test(token)) return false;
  const header = decodeProtectedHeader(token);
  return (
    header.typ === 'at+jwt' &&
    typeof header.kid === 'string' &&
    Object.keys(header).every((name) => HEADER.includes(name))
  );
}
