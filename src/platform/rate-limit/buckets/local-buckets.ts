import { RecentlyUsed } from '../../memory/index.js';
import { type BucketState, intervalOf, PERIOD, PERIOD_MS, ReplicaBuckets, stateOf } from './token-buckets.js';

/**
 * Maximum callers per generation. Beyond it the least recent are evicted early, in their favour.
 */
const MAX_KEYS = 100_000;

/**
 * Token buckets in memory of this process. A bucket that was not used for a whole period is full
 * and is evicted.
 */
export class LocalBuckets extends ReplicaBuckets {
  private readonly arrivals: RecentlyUsed<number>;

  /** @param now returns milliseconds since the epoch */
  constructor(private readonly now: () => number = Date.now) {
    super();
    this.arrivals = new RecentlyUsed(PERIOD_MS, MAX_KEYS, now);
  }

  get size(): number {
    return this.arrivals.size;
  }

  override take(key: string, limit: number): BucketState {
    const now = Math.round(this.now() * 1_000);
    const interval = intervalOf(limit);
    const known = this.arrivals.get(key) ?? now;
    // At most empty, in case the clock was set back.
    const arrival = Math.min(Math.max(known, now), now + PERIOD);
    const allowed = arrival + interval - now <= PERIOD;
    const next = allowed ? arrival + interval : arrival;
    this.arrivals.set(key, next);
    return stateOf(allowed, next - now, now, limit);
  }

  override giveBack(key: string, limit: number): void {
    const arrival = this.arrivals.get(key);
    if (arrival !== undefined) this.arrivals.set(key, arrival - intervalOf(limit));
  }
}
