interface Generation<V> {
  readonly size: number;
  get(key: string): V | undefined;
  set(key: string, value: V): unknown;
}

/**
 * Cache that evicts unused keys: one to two periods after their last use, as long as any key is
 * used. Works without timers: keys are in two generations, and each period the older one is
 * dropped as a whole. (Deleting single keys from the front of a Map is not O(1): each new iterator
 * skips the slots of all deleted keys.)
 */
export class RecentlyUsed<V> {
  private current: Generation<V>;
  private earlier: Generation<V>;
  private rotatesAt = 0;

  /**
   * @param maxKeys keys of a generation; beyond it the least recently used are evicted early
   * @param now returns milliseconds since the epoch
   * @param create makes an empty generation
   */
  constructor(
    private readonly periodMs: number,
    private readonly maxKeys: number,
    private readonly now: () => number = Date.now,
    private readonly create: () => Generation<V> = () => new Map(),
  ) {
    this.current = create();
    this.earlier = create();
  }

  /** Keys of both generations; one that is in both counts twice. */
  get size(): number {
    return this.current.size + this.earlier.size;
  }

  /** Returns a value and marks its key as used. */
  get(key: string): V | undefined {
    this.rotate();
    const value = this.current.get(key);
    if (value !== undefined) return value;
    const known = this.earlier.get(key);
    if (known !== undefined) this.current.set(key, known);
    return known;
  }

  /** Sets a value and marks its key as used. */
  set(key: string, value: V): void {
    this.rotate();
    this.current.set(key, value);
  }

  private rotate(): void {
    const now = this.now();
    if (now < this.rotatesAt && this.current.size < this.maxKeys) return;
    // After two whole periods no key is in use.
    this.earlier = now < this.rotatesAt + this.periodMs ? this.current : this.create();
    this.current = this.create();
    this.rotatesAt = now + this.periodMs;
  }
}
