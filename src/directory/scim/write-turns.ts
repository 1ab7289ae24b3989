import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';

/**
 * Writes of one organization that run at once. They wait for its lock one after the other: two keep
 * it in use, and more would only occupy connections of the pool.
 */
const MAX_RUNNING = 2;
/** Writes of one organization that wait for their turn. */
const MAX_WAITING = 100;

interface Turns {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets the directories of an organization write in turns, before they take a connection. */
@Injectable()
export class WriteTurns {
  /** Organizations whose directories write now. */
  private readonly turns = new Map<TenantId, Turns>();

  /**
   * @param write is told whether it has waited: what was asked before may not be so any more
   * @throws {AppError} too-many-requests if too many writes wait
   */
  async run<T>(tenantId: TenantId, write: (hasWaited: boolean) => Promise<T>): Promise<T> {
    const turns = this.turns.get(tenantId) ?? { running: 0, waiting: [] };
    this.turns.set(tenantId, turns);
    const hasWaited = await this.begin(turns);
    try {
      return await write(hasWaited);
    } finally {
      this.end(tenantId, turns);
    }
  }

  /** @returns whether it has waited */
  private begin(turns: Turns): Promise<boolean> {
    if (turns.running < MAX_RUNNING) {
      turns.running += 1;
      return Promise.resolve(false);
    }
    if (turns.waiting.length >= MAX_WAITING)
      throw new AppError('too-many-requests', { retryAfterSeconds: 1 });
    return new Promise((resolve) => turns.waiting.push(() => resolve(true)));
  }

  /** Passes the turn on, or frees it. */
  private end(tenantId: TenantId, turns: Turns): void {
    const next = turns.waiting.shift();
    if (next) return next();
    turns.running -= 1;
    if (turns.running === 0) this.turns.delete(tenantId);
  }
}
