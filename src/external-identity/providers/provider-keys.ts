import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { jsonOf } from './provider-http.js';

const ACCEPT = 'application/jwk-set+json, application/json';
/** So long after it was removed at the provider, a key may still be good here. */
const KEPT_MS = 600_000;
/** Anybody can name a key that nobody knows. */
const BETWEEN_ASKINGS_MS = 30_000;

/**
 * The keys that a provider signs ID tokens by (security bar OIDC-8): kept for ten minutes, and
 * asked for again because of an unknown one every thirty seconds at most. Whoever needs them
 * meanwhile waits for the one request that is under way.
 */
export class ProviderKeys {
  private known: JWTVerifyGetKey | undefined;
  private knownAt = -Infinity;
  private askedAt = -Infinity;
  private asking: Promise<JWTVerifyGetKey> | undefined;

  constructor(
    private readonly http: OutboundHttp,
    private readonly url: URL,
  ) {}

  /**
   * The key that a token names.
   * @throws {SignInError} where the provider does not give them
   * @throws {JOSEError} where there is no such key, or no one such
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const known = this.known && !isOver(this.knownAt, KEPT_MS) ? this.known : await this.ask();
    try {
      return await known(header, token);
    } catch (error) {
      const mayAsk = this.asking !== undefined || isOver(this.askedAt, BETWEEN_ASKINGS_MS);
      if (!(isUnknownKey(error) && mayAsk)) throw error;
      return (await this.ask())(header, token);
    }
  };

  private ask(): Promise<JWTVerifyGetKey> {
    this.asking ??= this.http.forEverybody(() => this.fetch()).finally(() => (this.asking = undefined));
    return this.asking;
  }

  private async fetch(): Promise<JWTVerifyGetKey> {
    this.askedAt = performance.now();
    const keys = await jsonOf(this.http, this.url, { headers: { accept: ACCEPT } });
    const { createLocalJWKSet } = await import('jose');
    this.known = createLocalJWKSet(keys as unknown as JSONWebKeySet);
    this.knownAt = performance.now();
    return this.known;
  }
}

/** By its code: the library is loaded later than this file. */
function isUnknownKey(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_JWKS_NO_MATCHING_KEY';
}

function isOver(since: number, ms: number): boolean {
  return performance.now() - since >= ms;
}
