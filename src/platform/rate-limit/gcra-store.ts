import type { ThrottlerStorage } from '@nestjs/throttler';

/** The state of a bucket after a request has asked it. Extends what @nestjs/throttler expects of its storage. */
export interface BucketState {
  readonly totalHits: number;
  readonly timeToExpire: number;
  readonly isBlocked: boolean;
  readonly timeToBlockExpire: number;
  readonly limit: number;
  readonly remaining: number;
  /** Milliseconds since the epoch when a token next becomes free; now, when the bucket is full. */
  readonly nextTokenAt: number;
}

/** Distinct callers kept in memory. Beyond it the oldest are forgotten, which can only be in the caller's favour. */
const MAX_KEYS = 200_000;
/** Entries looked at per request to drop those that have refilled. */
const SWEEP_STEP = 2;

/**
 * Token buckets by the generic cell rate algorithm: one number per key, the theoretical arrival time (tat) of the next
 * request, no timers. A bucket whose tat has passed is full and need not be kept.
 */
export class GcraStore implements ThrottlerStorage {
  private readonly arrivals = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  get size(): number {
    return this.arrivals.size;
  }

  async increment(key: string, periodMs: number, limit: number): Promise<BucketState> {
    return this.take(key, periodMs, limit);
  }

  /** Takes one token of the bucket `key`, which holds `limit` and refills evenly over `periodMs`. */
  take(key: string, periodMs: number, limit: number): BucketState {
    const now = this.now();
    const interval = periodMs / limit;
    const known = this.arrivals.get(key);
    const tat = Math.max(known ?? now, now);
    const allowed = tat + interval - now <= periodMs + 1e-6;
    const next = allowed ? tat + interval : tat;
    if (allowed) {
      this.arrivals.delete(key); // re-inserting keeps the map in order of use
      this.arrivals.set(key, next);
      this.sweep(now);
    }
    const used = (next - now) / interval;
    const remaining = Math.max(0, Math.floor(limit - used + 1e-6));
    // The count of tokens rises by one each time the debt (next - now) falls below a whole multiple of the interval.
    const nextTokenAt = next - (limit - remaining - 1) * interval;
    const waitMs = allowed ? 0 : tat + interval - periodMs - now;
    return {
      totalHits: allowed ? limit - remaining : limit + 1,
      timeToExpire: Math.ceil((next - now) / 1000),
      isBlocked: !allowed,
      timeToBlockExpire: Math.max(allowed ? 0 : 1, Math.ceil(waitMs / 1000)),
      limit,
      remaining,
      nextTokenAt: allowed ? Math.max(now, nextTokenAt) : now + waitMs,
    };
  }

  private sweep(now: number): void {
    let looked = 0;
    for (const [key, tat] of this.arrivals) {
      const full = this.arrivals.size > MAX_KEYS;
      if (looked++ >= SWEEP_STEP && !full) break;
      if (tat <= now || full) this.arrivals.delete(key);
      else break;
    }
  }
}
