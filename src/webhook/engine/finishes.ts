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
      const batch = this.waiting.splice(0, MAX_BATCH);
      await this.claims.finish(batch.map(({ finish }) => finish)).then(
        () => batch.forEach(({ resolve }) => resolve()),
        (error: unknown) => batch.forEach(({ reject }) => reject(error)),
      );
    }
    this.isWriting = false;
  }
}
