/** A burst is over by then; a queue that still stands is one that does not get shorter by waiting. */
const BURST_MS = 1_000;

/**
 * Tells a burst from an overload, as controlled delay does (RFC 8289): where nothing has been free for a second, and as many wait already as are
 * served at a time, the next one is better turned away at once than after the wait.
 */
export class StandingQueue {
  private lastFreeAt = 0;

  /** @param served how many are served at a time */
  constructor(
    private readonly served: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Whether to turn the next one away.
   * @param busy how many are being served
   * @param waiting how many wait for that
   */
  refuses(busy: number, waiting: number): boolean {
    const now = this.now();
    if (busy < this.served) this.lastFreeAt = now;
    return waiting >= this.served && now - this.lastFreeAt > BURST_MS;
  }
}
