import type { ThrottlerStorage } from '@nestjs/throttler';

/** State of a bucket after a request. Extends the record of @nestjs/throttler's storage. */
export interface BucketState {
  readonly totalHits: number;
  readonly timeToExpire: number;
  readonly isBlocked: boolean;
  readonly timeToBlockExpire: number;
  readonly limit: number;
  readonly remaining: number;
  /** Time of the next free token, in milliseconds since the epoch. */
  readonly nextTokenAt: number;
}

/** Scope of the buckets: this replica, all replicas, or this replica while Redis is unavailable. */
export const SHARING = ['local', 'shared', 'fallback'] as const;
export type Sharing = (typeof SHARING)[number];

/** Time in which an empty bucket refills, evenly. */
export const PERIOD_MS = 60_000;
/**
 * Period in microseconds, the unit of the buckets. Whole microseconds, because the fractions of a
 * thousand tokens would not add up to a period.
 */
export const PERIOD = PERIOD_MS * 1_000;

/**
 * Token buckets by the generic cell rate algorithm (GCRA): one number per key, the theoretical
 * arrival time of the next request. Each token taken moves it ahead by one interval; a bucket is
 * empty when it is a whole period ahead of now.
 */
export abstract class TokenBuckets implements ThrottlerStorage {
  abstract readonly sharing: Sharing;

  /** Takes one token of the bucket `key` of the size `limit`. */
  abstract take(key: string, limit: number): BucketState | Promise<BucketState>;

  /** Implements the storage of @nestjs/throttler by {@link take}. */
  async increment(key: string, _periodMs: number, limit: number): Promise<BucketState> {
    return this.take(key, limit);
  }
}

/** Buckets of this replica only. */
export abstract class ReplicaBuckets extends TokenBuckets {
  readonly sharing = 'local';

  /** Returns a token to the bucket after {@link take}. */
  abstract giveBack(key: string, limit: number): void | Promise<void>;
}

/** @returns the time in which a bucket of a size regains one token, in microseconds */
export function intervalOf(limit: number): number {
  return Math.max(1, Math.floor(PERIOD / limit));
}

/**
 * Computes the state of a bucket after a request.
 * @param allowed whether a token was taken
 * @param ahead arrival time relative to now, in microseconds
 * @param now in microseconds since the epoch
 * @param limit size of the bucket
 */
export function stateOf(allowed: boolean, ahead: number, now: number, limit: number): BucketState {
  const interval = intervalOf(limit);
  const used = Math.ceil(ahead / interval);
  const wait = allowed ? 0 : ahead + interval - PERIOD;
  // A token is regained each time `ahead` falls below a multiple of the interval.
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
