import { setTimeout as sleep } from 'node:timers/promises';

/** Items that one statement writes. */
const MAX_BATCH = 200;

interface Waiting<T, R> {
  readonly item: T;
  readonly resolve: (result: R) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Writes items by one statement at a time: those that come while it runs share the next one, and so
 * one commit. A single item waits for none, except for the pause after the last one.
 */
export class Batches<T, R = void> {
  private waiting: Waiting<T, R>[] = [];
  private isWriting = false;

  /**
   * @param writeAll writes items by one statement, and returns a result for each
   * @param pauseMs pause after a statement, in which more items come that share the next one
   */
  constructor(
    private readonly writeAll: (items: readonly T[]) => Promise<readonly R[]>,
    private readonly pauseMs = 0,
  ) {}

  /** @returns the result of an item when it is written */
  add(item: T): Promise<R> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (!this.isWriting) this.writeWaiting().catch(reject);
    });
  }

  private async writeWaiting(): Promise<void> {
    this.isWriting = true;
    try {
      while (this.waiting.length > 0) {
        await this.write(this.waiting.splice(0, MAX_BATCH));
        if (this.pauseMs > 0) await sleep(this.pauseMs);
      }
    } finally {
      this.isWriting = false;
    }
  }

  /**
   * Writes a batch by one statement. If it fails, such as by a deadlock with a cleanup, each is
   * written by itself: what fails of one must not send the deliveries of others again.
   */
  private async write(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await this.writeAll(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, n) => resolve(results[n] as R));
    } catch (error) {
      if (batch.length === 1) batch.forEach(({ reject }) => reject(error));
      else await Promise.all(batch.map((one) => this.write([one])));
    }
  }
}
