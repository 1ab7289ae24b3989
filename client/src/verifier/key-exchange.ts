import { InvalidTokenError, UnavailableError } from './errors.js';

interface Exchanged {
  readonly token: Promise<string>;
  readonly until: number;
}

/** Time for which the token of a key is used: a revoked key is refused after it. */
const REUSE_MS = 60_000;
/** Keys whose tokens are remembered; the oldest are forgotten. */
const MAX_KEYS = 1_000;
const TIMEOUT_MS = 5_000;

/** Exchanges keys of service accounts for access tokens (RFC 8693). */
export class KeyExchange {
  readonly #endpoint: string;
  /** By the digest of the key, so that no key is kept in memory. */
  readonly #exchanged = new Map<string, Exchanged>();

  /** @param url address of Gatehouse */
  constructor(url: string) {
    this.#endpoint = `${url.replace(/\/$/, '')}/oauth2/token`;
  }

  /**
   * @returns an access token of the key's service account
   * @throws {InvalidTokenError} for a key that Gatehouse refuses
   * @throws {UnavailableError}
   */
  async tokenOf(key: string): Promise<string> {
    const digest = await digestOf(key);
    const known = this.#exchanged.get(digest);
    if (known && known.until > Date.now()) return known.token;
    const token = this.#exchange(key);
    this.#exchanged.delete(digest);
    this.#exchanged.set(digest, { token, until: Date.now() + REUSE_MS });
    // A refusal is not remembered: the key may be enabled again.
    token.catch(() => this.#exchanged.delete(digest));
    const [oldest = ''] = this.#exchanged.keys();
    if (this.#exchanged.size > MAX_KEYS) this.#exchanged.delete(oldest);
    return token;
  }

  async #exchange(key: string): Promise<string> {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      subject_token: key,
    });
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(this.#endpoint, { method: 'POST', body, signal }).catch((error: unknown) => {
      throw new UnavailableError(error);
    });
    if (response.status === 400) throw new InvalidTokenError('key refused by Gatehouse');
    if (!response.ok) throw new UnavailableError(`status ${response.status} to the exchange of a key`);
    const { access_token: token } = (await response.json()) as { access_token: string };
    return token;
  }
}

async function digestOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return String.fromCharCode(...new Uint8Array(digest));
}
