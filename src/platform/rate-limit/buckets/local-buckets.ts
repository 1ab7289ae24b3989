import { hash, randomBytes } from 'node:crypto';
import { PackedNumbers, RecentlyUsed } from '../../memory/index.js';
import { type BucketState, intervalOf, PERIOD, PERIOD_MS, ReplicaBuckets, stateOf } from './token-buckets.js';

/**
 * Maximum callers per generation, 2.1 MB; at most two generations are kept. Beyond it the least
 * recent are evicted early, in their favour.
 */
const MAX_KEYS = 100_000;
/** Secret of the process: callers cannot choose keys whose digests are close to each other. */
const SALT = randomBytes(16).toString('latin1');

/**
 * Token buckets in memory of this process. A bucket that was not used for a whole period is full
 * and is evicted.
 */
export class LocalBuckets extends ReplicaBuckets {
  private readonly arrivals: RecentlyUsed<number>;

  /** @param now returns milliseconds since the epoch */
  constructor(private readonly now: () => number = Date.now) {
    super();
    this.arrivals = new RecentlyUsed(PERIOD_MS, MAX_KEYS, now, () => new PackedNumbers());
  }

  get size(): number {
    return this.arrivals.size;
  }

  override take(key: string, limit: number): BucketState {
    const now = Math.round(this.now() * 1_000);
    const interval = intervalOf(limit);
    const digest = digestOf(key);
    const known = this.arrivals.get(digest) ?? now;
    // At most empty, in case the clock was set back.
    const arrival = Math.min(Math.max(known, now), now + PERIOD);
    const allowed = arrival + interval - now <= PERIOD;
    const next = allowed ? arrival + interval : arrival;
    this.arrivals.set(digest, next);
    return stateOf(allowed, next - now, now, limit);
  }

  override giveBack(key: string, limit: number): void {
    const digest = digestOf(key);
    const arrival = this.arrivals.get(digest);
    if (arrival !== undefined) this.arrivals.set(digest, arrival - intervalOf(limit));
  }
}

const digestOf = (key: string): string => hash('sha256', SALT + key, 'latin1');
