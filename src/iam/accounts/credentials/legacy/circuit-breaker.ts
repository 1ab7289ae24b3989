/** Number of failures in a row after which the directory is not asked for a while. */
const MAX_FAILURES = 5;
const PAUSE_MS = 30_000;

/**
 * Keeps calls from a system that fails: after {@link MAX_FAILURES} in a row it lets none through
 * for {@link PAUSE_MS}, then one; the others follow once that one has succeeded.
 */
export class CircuitBreaker {
  private failures = 0;
  private closedUntil = 0;
  private isProbing = false;

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** @returns whether the caller may call; it then has to report the end */
  tryEnter(): boolean {
    if (this.failures < MAX_FAILURES) return true;
    if (this.isProbing || this.now() < this.closedUntil) return false;
    this.isProbing = true;
    return true;
  }

  recordSuccess(): void {
    this.failures = 0;
    this.isProbing = false;
  }

  /** @returns whether calls pause from now on */
  recordFailure(): boolean {
    this.failures += 1;
    this.isProbing = false;
    if (this.failures < MAX_FAILURES) return false;
    this.closedUntil = this.now() + PAUSE_MS;
    return true;
  }
}
