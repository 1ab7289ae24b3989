/** Maximum wait for a connection. A burst is over by then; a longer queue is an overload. */
const WINDOW_MS = 1_000;

/**
 * Distinguishes a burst from an overload, as controlled delay does (RFC 8289). If no connection has
 * been free for a second, and more callers wait than were served in one, a further caller would
 * time out and is refused at once. A long queue that moves is not an overload.
 */
export class ConnectionQueue {
  private lastFreeAt = 0;
  private windowStart = 0;
  private servedNow = 0;
  private servedBefore = 0;

  /** @param places number of connections; as many callers may always wait */
  constructor(
    private readonly places: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Records that a caller got a connection. */
  served(): void {
    this.turnWindow();
    this.servedNow += 1;
  }

  /**
   * Tells whether to refuse the next caller.
   * @param busy number of connections in use
   * @param waiting number of waiting callers
   */
  refuses(busy: number, waiting: number): boolean {
    const now = this.now();
    if (busy < this.places) this.lastFreeAt = now;
    if (waiting < this.places || now - this.lastFreeAt <= WINDOW_MS) return false;
    this.turnWindow();
    return waiting >= Math.max(this.servedNow, this.servedBefore);
  }

  private turnWindow(): void {
    const age = this.now() - this.windowStart;
    if (age < WINDOW_MS) return;
    this.servedBefore = age < 2 * WINDOW_MS ? this.servedNow : 0;
    this.servedNow = 0;
    this.windowStart = this.now();
  }
}
