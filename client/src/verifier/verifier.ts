import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify, type JWTVerifyGetKey } from 'jose';
import type { Scope, Verdicts } from '../abilities.js';
import { ProblemError } from '../errors.js';
import { Http } from '../http.js';
import { parseAccessToken, type AccessToken } from './access-token.js';
import { InvalidTokenError, UnavailableError } from './errors.js';
import { KeyExchange } from './key-exchange.js';
import type { RevocationFeed } from './revocation-feed.js';

export interface VerifierOptions {
  /** The `iss` of the tokens: the `PUBLIC_URL` of the service. */
  readonly issuer: string;
  /** The `aud` of the tokens: `TOKEN_AUDIENCE` of the service, or the identifier of your API. */
  readonly audience: string;
  /** The organization whose data this service has: tokens of every other one are refused. */
  readonly tenantId?: string;
  /**
   * Algorithm of the tokens: `ES256` by default, or the `accessTokenAlg` of your API. Both for a
   * service that takes tokens of clients with either `accessTokenAlg`.
   */
  readonly algorithm?: Algorithm | readonly Algorithm[];
  /** Address of the service, if it differs from the issuer. */
  readonly url?: string;
  /** Maximum difference between clocks. */
  readonly clockToleranceSeconds?: number;
  /**
   * Maximum lifetime of an accepted token (`exp - iat`): 3600 by default. Set it to the service's
   * `ACCESS_TOKEN_TTL` if that is longer.
   */
  readonly maxLifetimeSeconds?: number;
  /**
   * Ids of further clients whose tokens are accepted; `any` for all. By default only those of
   * Gatehouse's own app and of service accounts: any organization can register a client, and a
   * client of OpenID Connect may know a person by another id.
   */
  readonly clients?: readonly string[] | 'any';
  /**
   * Whether keys of service accounts (`gh_sa_…`) are accepted in place of access tokens. Each is
   * exchanged at Gatehouse, and again after a minute, so that a revoked key is refused. A key that
   * is restricted to networks is checked against the address of this service.
   */
  readonly serviceKeys?: boolean;
  /** Ends of sessions: their tokens are refused within a second, without a request for each. */
  readonly revocationFeed?: Pick<RevocationFeed, 'hasEnded'>;
}

const MAX_TOKEN_LENGTH = 8_192;
const DEFAULT_MAX_LIFETIME_SECONDS = 3_600;
/**
 * Canonical compact form (RFC 7515 section 3.1). Decoders of base64url ignore whitespace and the
 * unused bits of the last character, so that one token would have many spellings.
 */
const COMPACT_FORMS = {
  ES256: /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/,
  // Of a key of 3072 bits: the last character has no unused bits.
  RS256: /^[\w-]+\.[\w-]+\.[\w-]{512}$/,
} as const;
const KEY = /^gh_sa_/;
type Algorithm = keyof typeof COMPACT_FORMS;
const ALGORITHMS = ['ES256', 'RS256'] as const satisfies readonly Algorithm[];
/** The only accepted names in the header. */
const HEADER_NAMES = ['typ', 'alg', 'kid'];
/** `client_id` of Gatehouse's own app. */
const OWN_APP = 'gatehouse';
const TIMEOUT_MS = 5_000;
/**
 * Minimum time between two fetches of the keys, also if an attacker sends tokens with unknown key
 * ids.
 */
const MIN_FETCH_INTERVAL_MS = 5_000;

/**
 * Verifies access tokens for a service in another process than Gatehouse. `verify` makes no
 * request: it checks signature and claims, by keys that are cached for ten minutes. It accepts a
 * token until it expires, also after a logout or the end of a membership: at most ten minutes
 * (`ACCESS_TOKEN_TTL`) plus the clock tolerance. With a feed of revocations, a logout is effective
 * within a second. `confirm` makes a request, so that Gatehouse's own bound applies: one second, at
 * most five.
 */
export class Verifier {
  readonly #options: Required<Omit<VerifierOptions, 'revocationFeed' | 'tenantId'>> & VerifierOptions;
  readonly #keys: JWTVerifyGetKey;
  readonly #exchange: KeyExchange;

  /**
   * @throws {TypeError} without issuer or audience, or with a `tenantId` that is none: tokens for
   *   any other service or organization would pass
   */
  constructor(options: VerifierOptions) {
    const needed = ['issuer', 'audience', ...('tenantId' in options ? (['tenantId'] as const) : [])] as const;
    for (const name of needed)
      if (typeof options[name] !== 'string' || options[name] === '')
        throw new TypeError(`A verifier needs its ${name}.`);
    this.#options = {
      url: options.issuer,
      clockToleranceSeconds: 5,
      algorithm: 'ES256',
      maxLifetimeSeconds: DEFAULT_MAX_LIFETIME_SECONDS,
      clients: [],
      serviceKeys: false,
      ...options,
    };
    this.#exchange = new KeyExchange(this.#options.url);
    const remote = createRemoteJWKSet(
      new URL(`${this.#options.url.replace(/\/$/, '')}/.well-known/jwks.json`),
      {
        timeoutDuration: TIMEOUT_MS,
        cooldownDuration: MIN_FETCH_INTERVAL_MS,
      },
    );
    this.#keys = (header, token) =>
      remote(header, token).catch((error: unknown) => {
        throw error instanceof errors.JWKSNoMatchingKey ? error : new UnavailableError(error);
      });
  }

  /**
   * Verifies an access token by its signature and claims. With `serviceKeys`, also a key.
   * @param credential what follows `Bearer` in the Authorization header
   * @throws {InvalidTokenError}
   * @throws {UnavailableError} if the keys cannot be fetched, or a key cannot be exchanged
   */
  async verify(credential: string): Promise<AccessToken> {
    const { issuer, audience, algorithm, maxLifetimeSeconds } = this.#options;
    const algorithms = typeof algorithm === 'string' ? [algorithm] : [...algorithm];
    const { clockToleranceSeconds: clockTolerance } = this.#options;
    try {
      const token = KEY.test(credential) ? await this.#exchangeKey(credential) : credential;
      requireExpectedForm(token, algorithms);
      const { payload } = await jwtVerify(token, this.#keys, {
        algorithms,
        typ: 'at+jwt',
        issuer,
        audience,
        clockTolerance,
      });
      const accessToken = parseAccessToken(token, payload, maxLifetimeSeconds);
      this.#requireClient(accessToken);
      this.#requireTenant(accessToken);
      const { sessionId } = accessToken;
      if (sessionId !== null && this.#options.revocationFeed?.hasEnded(sessionId) === true)
        throw new InvalidTokenError('session ended');
      return accessToken;
    } catch (error) {
      if (error instanceof UnavailableError || error instanceof InvalidTokenError) throw error;
      throw new InvalidTokenError(error);
    }
  }

  /**
   * Checks at Gatehouse that the session, client and membership of the token are still valid. Sends
   * one request, counted as a read of the caller: use it for operations that must not happen after
   * a logout.
   * @throws {InvalidTokenError} if one of them has ended
   * @throws {UnavailableError}
   */
  async confirm(token: AccessToken): Promise<void> {
    await this.#request(token, (http, signal) => http.call('get', '/api/v1/iam/me', [{ signal }]));
  }

  /**
   * Checks the caller's permissions at Gatehouse, for scopes that are declared there.
   * @param subject `<scheme>:///<module>/<collection>/<ulid>`; null to check the scopes without a
   *   subject
   * @throws {InvalidTokenError} if the session has ended
   * @throws {UnavailableError}
   */
  async can<S extends Scope>(
    token: AccessToken,
    subject: string | null,
    scopes: readonly S[],
  ): Promise<Verdicts<S>> {
    const body = { scopes: [...scopes], ...(subject !== null && { subject }) };
    const { data } = await this.#request(token, (http, signal) =>
      http.call('post', '/api/auth/can', [{ body, signal }]),
    );
    return data as Verdicts<S>;
  }

  async #exchangeKey(key: string): Promise<string> {
    if (!this.#options.serviceKeys)
      throw new InvalidTokenError('a key, not an access token: exchange it, or set serviceKeys');
    return this.#exchange.tokenOf(key);
  }

  #requireClient({ kind, clientId }: AccessToken): void {
    const { clients } = this.#options;
    if (kind === 'service' || clients === 'any' || clientId === OWN_APP || clients.includes(clientId)) return;
    throw new InvalidTokenError(`issued to the client ${clientId}, which is not one of \`clients\``);
  }

  #requireTenant({ tenantId }: AccessToken): void {
    const { tenantId: own = tenantId } = this.#options;
    if (tenantId !== own) throw new InvalidTokenError('of another organization, or of none');
  }

  async #request<T>(token: AccessToken, send: (http: Http, signal: AbortSignal) => Promise<T>): Promise<T> {
    const http = new Http(this.#options.url, (request) => {
      request.headers.set('authorization', `Bearer ${token.raw}`);
      return fetch(request);
    });
    try {
      return await send(http, AbortSignal.timeout(TIMEOUT_MS));
    } catch (error) {
      if (!(error instanceof ProblemError)) throw new UnavailableError(error);
      if (error.code === 'unauthenticated') throw new InvalidTokenError(error);
      throw error.status >= 500 || error.status === 429 ? new UnavailableError(error) : error;
    }
  }
}

/**
 * Accepts only headers that Gatehouse signs: one that contains a key, or the address of a key, is
 * refused.
 * @throws {InvalidTokenError}
 */
function requireExpectedForm(token: string, algorithms: readonly Algorithm[]): void {
  const isShort = typeof token === 'string' && token.length <= MAX_TOKEN_LENGTH;
  const signedBy = ALGORITHMS.find((algorithm) => isShort && COMPACT_FORMS[algorithm].test(token));
  if (signedBy === undefined) throw new InvalidTokenError('unexpected form or header');
  if (!algorithms.includes(signedBy))
    throw new InvalidTokenError(`in the form of ${signedBy}, which \`algorithm\` does not name`);
  const header = decodeProtectedHeader(token);
  const isExpected =
    header.typ === 'at+jwt' &&
    typeof header.kid === 'string' &&
    Object.keys(header).every((name) => HEADER_NAMES.includes(name));
  if (!isExpected) throw new InvalidTokenError('unexpected form or header');
}
