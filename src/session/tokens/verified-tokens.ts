import { hash } from 'node:crypto';
import type { Principal } from '../../kernel/index.js';
import { RecentlyUsed } from '../../platform/memory/index.js';
import type { TokenKey } from './token-form.js';

/** Claims of a token whose signature has been verified. */
export interface VerifiedToken {
  readonly principal: Principal;
  /** Key that verified it. */
  readonly key: TokenKey;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/**
 * Milliseconds. A token that is not used for longer is verified again, so that replaced tokens do
 * not stay in memory until they expire.
 */
const GENERATION_MS = 60_000;
/**
 * Tokens per generation, about 13 MB (640 bytes each); at most two generations are kept. Above it,
 * the least recently used tokens are verified again.
 */
const MAX_TOKENS = 20_000;

/**
 * Caches tokens whose signature has been verified (ADR 14). Keyed by a digest of the whole token,
 * so that only exactly this token is found, and no token is kept in memory. The caller checks key
 * and times at each use.
 */
export class VerifiedTokens {
  private readonly tokens = new RecentlyUsed<VerifiedToken>(GENERATION_MS, MAX_TOKENS);
  /** Keys that have verified a token, each once: each token names its key by another object. */
  private readonly keys = new Map<string, TokenKey>();

  find(token: string): VerifiedToken | undefined {
    return this.tokens.get(computeDigest(token));
  }

  remember(token: string, verified: VerifiedToken): void {
    const { principal, key, issuedAt, expiresAt } = verified;
    const name = `${key.alg} ${key.kid}`;
    const shared = this.keys.get(name) ?? key;
    this.keys.set(name, shared);
    this.tokens.set(computeDigest(token), { principal, key: shared, issuedAt, expiresAt });
  }
}

function computeDigest(token: string): string {
  return hash('sha256', token, 'base64');
}
