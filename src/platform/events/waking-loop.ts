/** Delay after a failure. */
const RETRY_MS = 1_000;

/** Repeats work in the background: at once when it is woken, else after a delay. */
export class WakingLoop {
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;
  private woken = false;
  private resume: (() => void) | undefined;

  /**
   * @param work returns the milliseconds until it is due again
   * @param failed called with the first of several errors in a row
   * @param idleMs delay before the first run, and the longest of all
   */
  constructor(
    private readonly work: () => Promise<number>,
    private readonly failed: (error: unknown) => void,
    private readonly idleMs: number,
  ) {}

  start(): void {
    this.running ??= this.repeat();
  }

  /** Runs the work without waiting, or again if it is running. */
  wake(): void {
    this.woken = true;
    this.resume?.();
  }

  /** @returns when the work that runs has ended */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.resume?.();
    await this.running;
  }

  private async repeat(): Promise<void> {
    let failing = false;
    await this.pause(this.idleMs);
    while (!this.stopping.signal.aborted) {
      this.woken = false;
      const delay = await this.work().then(
        (ms) => {
          failing = false;
          return ms;
        },
        (error: unknown) => {
          if (!failing && !this.stopping.signal.aborted) this.failed(error);
          failing = true;
          return RETRY_MS;
        },
      );
      await this.pause(Math.min(delay, failing ? RETRY_MS : this.idleMs));
    }
  }

  private pause(ms: number): Promise<void> {
    if (this.woken || ms === 0 || this.stopping.signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      this.resume = () => {
        clearTimeout(timer);
        this.resume = undefined;
        resolve();
      };
    });
  }
}
