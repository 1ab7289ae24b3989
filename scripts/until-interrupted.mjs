/**
 * What a program has started, until Ctrl-C, which its processes get as well. The program waits
 * until all have ended.
 */
export class UntilInterrupted {
  interrupted = false;
  /** What {@link keep} was given, oldest first. */
  running = [];
  /** Resolves at the interruption. */
  told;

  constructor() {
    this.told = new Promise((resolve) => {
      const tell = () => resolve((this.interrupted = true));
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, tell);
    });
  }

  /** Stops something at the end. @param one has `stop()` @returns it */
  keep = (one) => {
    this.running.push(one);
    return one;
  };

  /**
   * Starts, waits for the interruption, and stops what was kept, the newest first.
   * @param onEnd called at the interruption
   * @throws the error of a start, unless it follows from the interruption
   */
  async run(start, onEnd = () => undefined) {
    try {
      await start();
      await this.told;
      onEnd();
    } catch (error) {
      if (!this.interrupted) throw error;
    } finally {
      for (const one of this.running.reverse()) await one.stop();
    }
  }
}
