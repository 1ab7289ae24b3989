/** As long as one waits for a connection; a burst is over by then, and a queue that still stands is one that does not get shorter by waiting. */
const PATIENCE_MS = 1_000;

/**
 * Tells a burst from an overload, as controlled delay does (RFC 8289): where nothing has been free for a second, and more wait already than
 * were served in one, the next one would wait in vain and is better turned away at once. A queue that moves is no overload, however long.
 */
export class ConnectionQueue {
  private lastFreeAt = 0;
  private windowBegan = 0;
  private servedNow = 0;
  private servedBefore = 0;

  /** @param places how many are served at a time; as many may always wait */
  constructor(
    private readonly places: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Notes that somebody's turn has come. */
  served(): void {
    this.turnWindow();
    this.servedNow += 1;
  }

  /**
   * Whether to turn the next one away.
   * @param busy how many are being served
   * @param waiting how many wait for that
   */
  refuses(busy: number, waiting: number): boolean {
    const now = this.now();
    if (busy < this.places) this.lastFreeAt = now;
    if (waiting < this.places || now - this.lastFreeAt <= PATIENCE_MS) return false;
    this.turnWindow();
    return waiting >= Math.max(this.servedNow, this.servedBefore);
  }

  private turnWindow(): void {
    const age = this.now() - this.windowBegan;
    if (age < PATIENCE_MS) return;
    this.servedBefore = age < 2 * PATIENCE_MS ? this.servedNow : 0;
    this.servedNow = 0;
    this.windowBegan = this.now();
  }
}
