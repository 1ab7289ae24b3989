import { hash } from 'node:crypto';
import type { Principal } from '../../kernel/index.js';
import { RecentlyUsed } from '../../platform/memory/index.js';

/** What a token said whose signature was right. */
export interface VerifiedToken {
  readonly principal: Principal;
  /** The key that it was verified with. */
  readonly kid: string;
  /** Seconds since the epoch. */
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** A caller who pauses for longer has the token verified anew; a token that has had its successor is not kept until it expires. */
const PERIOD_MS = 60_000;
/** Some 10 MB, and of the generation before no more than that. Beyond it the tokens that were not seen for longest are verified anew. */
const MAX_TOKENS = 20_000;

/**
 * Tokens whose signature need not be computed a second time (ADR 14). Known by a digest of every byte of them, so that nothing but the very
 * token is recognised, and no token lies in memory. Whether it counts *now* is for whoever asks.
 */
export class VerifiedTokens {
  private readonly tokens = new RecentlyUsed<VerifiedToken>(PERIOD_MS, MAX_TOKENS);

  find(token: string): VerifiedToken | undefined {
    return this.tokens.get(digestOf(token));
  }

  remember(token: string, verified: VerifiedToken): void {
    this.tokens.set(digestOf(token), verified);
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
