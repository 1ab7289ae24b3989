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

/** Distinct callers per generation. Beyond it the longest unseen are forgotten early, which can only be in their favour. */
const MAX_KEYS = 100_000;
/** No bucket refills over a longer period. */
export const PERIOD_MS = 60_000;

/**
 * Token buckets by the generic cell rate algorithm: one number per key, the theoretical arrival time (tat) of the next
 * request, no timers. A bucket that nobody has asked for a whole period is full and need not be kept: the keys live in two
 * generations, and every period the older one is dropped whole. (Deleting one by one from the front of a Map is not O(1):
 * each new iterator walks over the graves of the deleted.)
 */
export class GcraStore implements ThrottlerStorage {
  private arrivals = new Map<string, number>();
  private earlier = new Map<string, number>();
  private generationEnds = 0;

  constructor(private readonly now: () => number = Date.now) {}

  get size(): number {
    return this.arrivals.size + this.earlier.size;
  }

  async increment(key: string, periodMs: number, limit: number): Promise<BucketState> {
    return this.take(key, periodMs, limit);
  }

  /** Takes one token of the bucket `key`, which holds `limit` and refills evenly over `periodMs`, at most {@link PERIOD_MS}. */
  take(key: string, periodMs: number, limit: number): BucketState {
    const now = this.now();
    const interval = periodMs / limit;
    this.turnGeneration(now);
    const known = this.arrivals.get(key) ?? this.earlier.get(key);
    const tat = Math.max(known ?? now, now);
    const allowed = tat + interval - now <= periodMs + 1e-6;
    const next = allowed ? tat + interval : tat;
    this.arrivals.set(key, next);
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

  private turnGeneration(now: number): void {
    if (now < this.generationEnds && this.arrivals.size < MAX_KEYS) return;
    // After two whole periods without a request nothing in here is still in use.
    this.earlier = now < this.generationEnds + PERIOD_MS ? this.arrivals : new Map();
    this.arrivals = new Map();
    this.generationEnds = now + PERIOD_MS;
  }
}
