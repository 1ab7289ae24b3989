/**
 * Values by key, which are forgotten unless they are used: a period after their last use at the soonest, and two at the latest for as long as anything is
 * used. Without timers: the keys live in two generations, and every period the older one is dropped whole. (Deleting one by one from the front of a Map is not O(1): each
 * new iterator walks over the graves of the deleted.)
 */
export class RecentlyUsed<V> {
  private current = new Map<string, V>();
  private earlier = new Map<string, V>();
  private turnsAt = 0;

  /**
   * @param most keys of a generation; beyond it those that are unused for longest are forgotten early
   * @param now in milliseconds since the epoch
   */
  constructor(
    private readonly periodMs: number,
    private readonly most: number,
    private readonly now: () => number = Date.now,
  ) {}

  get size(): number {
    return this.current.size + this.earlier.size;
  }

  get(key: string): V | undefined {
    this.turn();
    const value = this.current.get(key);
    if (value !== undefined) return value;
    const known = this.earlier.get(key);
    if (known !== undefined) this.promote(key, known);
    return known;
  }

  set(key: string, value: V): void {
    this.turn();
    this.current.set(key, value);
  }

  private promote(key: string, value: V): void {
    this.earlier.delete(key);
    this.current.set(key, value);
  }

  private turn(): void {
    const now = this.now();
    if (now < this.turnsAt && this.current.size < this.most) return;
    // After two whole periods nothing in here is still in use.
    this.earlier = now < this.turnsAt + this.periodMs ? this.current : new Map();
    this.current = new Map();
    this.turnsAt = now + this.periodMs;
  }
}
