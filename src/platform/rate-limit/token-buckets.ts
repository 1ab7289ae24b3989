import type { ThrottlerStorage } from '@nestjs/throttler';

/** The state of a bucket after a request has asked it. Extends what @nestjs/throttler expects of its storage. */
export interface BucketState {
  readonly totalHits: number;
  readonly timeToExpire: number;
  readonly isBlocked: boolean;
  readonly timeToBlockExpire: number;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since the epoch when a token next becomes free. */
  readonly nextTokenAt: number;
}

/** Whom the buckets count for: this process, all replicas, or this process for want of the store that all of them share. */
export const SHARING = ['local', 'shared', 'fallback'] as const;
export type Sharing = (typeof SHARING)[number];

/** Every bucket refills evenly over this time. */
export const PERIOD_MS = 60_000;
/** The same in microseconds, in which buckets count: whole ones, as fractions of a thousand tokens would not add up to a period. */
export const PERIOD = PERIOD_MS * 1_000;

/**
 * Token buckets by the generic cell rate algorithm: one number per key, the theoretical arrival time of the next request. It moves ahead by
 * one interval with each token that is taken; a bucket is empty when it is a whole period ahead of now.
 */
export abstract class TokenBuckets implements ThrottlerStorage {
  abstract readonly sharing: Sharing;

  /** Takes one token of the bucket `key`, which holds `limit`. */
  abstract take(key: string, limit: number): BucketState | Promise<BucketState>;

  /** The same in the words of @nestjs/throttler. */
  async increment(key: string, _periodMs: number, limit: number): Promise<BucketState> {
    return this.take(key, limit);
  }
}

/** Microseconds in which a bucket of this size gets one token back. */
export function intervalOf(limit: number): number {
  return Math.max(1, Math.floor(PERIOD / limit));
}

/**
 * What a bucket shows after it was asked.
 * @param ahead of now, by how much its arrival time is, in microseconds
 * @param now in microseconds since the epoch
 */
export function stateOf(allowed: boolean, ahead: number, now: number, limit: number): BucketState {
  const interval = intervalOf(limit);
  const used = Math.ceil(ahead / interval);
  const wait = allowed ? 0 : ahead + interval - PERIOD;
  // The count of tokens rises by one each time `ahead` falls below a whole multiple of the interval.
  const untilNext = allowed ? ahead - (used - 1) * interval : wait;
  return {
    totalHits: allowed ? used : limit + 1,
    timeToExpire: Math.ceil(ahead / 1_000_000),
    isBlocked: !allowed,
    timeToBlockExpire: Math.ceil(wait / 1_000_000),
    limit,
    remaining: Math.max(0, limit - used),
    nextTokenAt: (now + untilNext) / 1_000,
  };
}
