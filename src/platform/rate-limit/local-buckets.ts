import { intervalOf, PERIOD, PERIOD_MS, stateOf, TokenBuckets, type BucketState } from './token-buckets.js';

/** Distinct callers per generation. Beyond it the longest unseen are forgotten early, which can only be in their favour. */
const MAX_KEYS = 100_000;

/**
 * Token buckets in the memory of this process, without timers. A bucket that nobody has asked for a whole period is full and need not be
 * kept: the keys live in two generations, and every period the older one is dropped whole. (Deleting one by one from the front of a Map is
 * not O(1): each new iterator walks over the graves of the deleted.)
 */
export class LocalBuckets extends TokenBuckets {
  readonly sharing = 'local';
  private arrivals = new Map<string, number>();
  private earlier = new Map<string, number>();
  private generationEnds = 0;

  /** @param now in milliseconds since the epoch */
  constructor(private readonly now: () => number = Date.now) {
    super();
  }

  get size(): number {
    return this.arrivals.size + this.earlier.size;
  }

  override take(key: string, limit: number): BucketState {
    const nowMs = this.now();
    this.turnGeneration(nowMs);
    const now = Math.round(nowMs * 1_000);
    const interval = intervalOf(limit);
    const known = this.arrivals.get(key) ?? this.earlier.get(key) ?? now;
    // Never more than empty: the clock may have been set back.
    const arrival = Math.min(Math.max(known, now), now + PERIOD);
    const allowed = arrival + interval - now <= PERIOD;
    const next = allowed ? arrival + interval : arrival;
    this.arrivals.set(key, next);
    return stateOf(allowed, next - now, now, limit);
  }

  /** Puts a token back that has just been taken. */
  giveBack(key: string, limit: number): void {
    const arrival = this.arrivals.get(key);
    if (arrival !== undefined) this.arrivals.set(key, arrival - intervalOf(limit));
  }

  private turnGeneration(now: number): void {
    if (now < this.generationEnds && this.arrivals.size < MAX_KEYS) return;
    // After two whole periods without a request nothing in here is still in use.
    this.earlier = now < this.generationEnds + PERIOD_MS ? this.arrivals : new Map();
    this.arrivals = new Map();
    this.generationEnds = now + PERIOD_MS;
  }
}
