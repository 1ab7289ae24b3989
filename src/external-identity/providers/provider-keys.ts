import { constants, KeyObject, verify } from 'node:crypto';
import type { CryptoKey, JSONWebKeySet, JWSHeaderParameters } from 'jose';
import type { OutboundHttp } from '../../platform/outbound/index.js';
import { jsonOf } from './provider-http.js';

const ACCEPT = 'application/jwk-set+json, application/json';
/** TTL of the cached keys. A key that the provider removed is accepted until then. */
const TTL_MS = 600_000;
/**
 * Minimum time between requests for unknown keys, because anyone can send a token that names one.
 */
const MIN_INTERVAL_MS = 30_000;

/** Finds the key of a token by its header. */
type KeyFinder = (header: JWSHeaderParameters) => Promise<CryptoKey>;

/** Keys in the form of Node.js, by the one of the library, which keeps each. */
const keyObjects = new WeakMap<CryptoKey, KeyObject>();

/**
 * Caches the keys that a provider signs ID tokens with (OIDC-8). An unknown key causes a request at
 * most every thirty seconds. Concurrent callers share one request.
 */
export class ProviderKeys {
  private known: KeyFinder | undefined;
  private knownAt = -Infinity;
  private requestedAt = -Infinity;
  private refreshing: Promise<KeyFinder> | undefined;

  constructor(
    private readonly http: OutboundHttp,
    private readonly url: URL,
  ) {}

  /**
   * Returns the key that a token names.
   * @throws {SignInError} if the keys cannot be fetched
   * @throws {JOSEError} if no key matches, or several do
   */
  async find(header: JWSHeaderParameters): Promise<KeyObject> {
    const found = await this.findKnown(header);
    const key = keyObjects.get(found) ?? KeyObject.from(found);
    keyObjects.set(found, key);
    return key;
  }

  private async findKnown(header: JWSHeaderParameters): Promise<CryptoKey> {
    const known = this.known && !isOver(this.knownAt, TTL_MS) ? this.known : await this.refresh();
    try {
      return await known(header);
    } catch (error) {
      const mayRefresh = this.refreshing !== undefined || isOver(this.requestedAt, MIN_INTERVAL_MS);
      if (!(isUnknownKey(error) && mayRefresh)) throw error;
      return (await this.refresh())(header);
    }
  }

  private refresh(): Promise<KeyFinder> {
    this.refreshing ??= this.http.shared(() => this.fetch()).finally(() => (this.refreshing = undefined));
    return this.refreshing;
  }

  private async fetch(): Promise<KeyFinder> {
    this.requestedAt = performance.now();
    const keys = await jsonOf(this.http, this.url, { headers: { accept: ACCEPT } });
    const { createLocalJWKSet } = await import('jose');
    this.known = createLocalJWKSet(keys as unknown as JSONWebKeySet);
    this.knownAt = performance.now();
    return this.known;
  }
}

/** Compares the code and not the class, because the library is loaded on first use. */
function isUnknownKey(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_JWKS_NO_MATCHING_KEY';
}

function isOver(since: number, ms: number): boolean {
  return performance.now() - since >= ms;
}

/** Size of an RSA key at least (RFC 7518 section 3.3). */
const MIN_RSA_BITS = 2_048;

/**
 * Verifies the signature of a compact JWS (RFC 7518 section 3.1, RFC 8037) in the calling thread:
 * another one takes half as much again (ADR 84).
 * @param alg algorithm for which the key was chosen
 * @param content header and payload, as they were signed
 * @param signature in base64url
 */
export function hasSignature(alg: string, key: KeyObject, content: string, signature: string): boolean {
  if ((key.asymmetricKeyDetails?.modulusLength ?? MIN_RSA_BITS) < MIN_RSA_BITS) return false;
  const [, family, bits] = /^(RS|PS|ES)(256|384|512)$/.exec(alg) ?? [];
  const digest = bits === undefined ? null : `sha${bits}`; // Ed25519 has its own
  const parameters = {
    key,
    ...(family === 'ES' && { dsaEncoding: 'ieee-p1363' as const }),
    ...(family === 'PS' && {
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    }),
  };
  return verify(digest, Buffer.from(content, 'latin1'), parameters, Buffer.from(signature, 'base64url'));
}
