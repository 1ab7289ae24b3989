import { Injectable } from '@nestjs/common';
import { ClaimsRepository, type Finish } from './claims.repository.js';

/** Deliveries that one statement records. */
const MAX_BATCH = 200;

interface Waiting {
  readonly finish: Finish;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Records what became of deliveries. One statement at a time: those that end while it runs share
 * the next one, and so one commit. A single delivery waits for none.
 */
@Injectable()
export class Finishes {
  private waiting: Waiting[] = [];
  private isWriting = false;

  constructor(private readonly claims: ClaimsRepository) {}

  /** @returns when it is recorded */
  record(finish: Finish): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ finish, resolve, reject });
      if (!this.isWriting) void this.writeAll();
    });
  }

  private async writeAll(): Promise<void> {
    this.isWriting = true;
    while (this.waiting.length > 0) {
      await this.write(this.waiting.splice(0, MAX_BATCH));
    }
    this.isWriting = false;
  }

  /**
   * Writes a batch by one statement. If it fails, such as by a deadlock with a cleanup, each is
   * written by itself: what fails of one must not send the deliveries of others again.
   */
  private async write(batch: readonly Waiting[]): Promise<void> {
    try {
      await this.claims.finish(batch.map(({ finish }) => finish));
      batch.forEach(({ resolve }) => resolve());
    } catch (error) {
      if (batch.length === 1) batch.forEach(({ reject }) => reject(error));
      else await Promise.all(batch.map((one) => this.write([one])));
    }
  }
}
