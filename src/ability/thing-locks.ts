import type { Principal } from '../kernel/index.js';
import type { Database } from '../platform/database/index.js';
import { AppError } from '../platform/errors/index.js';
import type { Need } from './ability.registry.js';
import { type Lineage, thingIn } from './ancestors.js';
import './ability.messages.js';

const RETRY_SECONDS = 1;

/**
 * Keeps commands from waiting for each other that lock a thing twice: for share, as something above
 * the subject of one decision, and then for update, as the subject of another one.
 */
export class ThingLocks {
  constructor(private readonly database: Database) {}

  /** Notes what a decision has locked for share. */
  noteAbove(lineages: Iterable<Lineage>): void {
    for (const { above } of lineages) for (const thing of above) this.database.noteLock(nameOf(thing));
  }

  /**
   * Requires that the entities can be locked for update. Of those that this transaction has locked
   * for share, only one transaction of a tenant locks some for update at a time: it waits for all
   * others that have locked them for share, and none of these waits for it.
   * @throws {AppError} unavailable if another transaction does so
   */
  async requireTurn({ tenantId }: Principal, needs: readonly Need[]): Promise<void> {
    const isAbove = needs.some(({ collection, id }) =>
      this.database.holdsLock(nameOf(thingIn(collection, id))),
    );
    if (!isAbove || (await this.database.tryLockNameForUpdate(`things above of ${tenantId}`))) return;
    throw new AppError('unavailable', {
      reason: { id: 'ability.changed-concurrently' },
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}

const nameOf = (thing: string): string => `above: ${thing}`;
