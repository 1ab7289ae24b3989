import { Injectable } from '@nestjs/common';
import { type LifecycleEvents, LOCK, type OperatorRights, type UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ChangeFeed, LiveCache } from '../../platform/live/index.js';
import { type Appointment, OperatorRepository } from './operator.repository.js';

const OPERATORS_CHANNEL = 'gatehouse_operators_changed';

/** Answers what people may do as operators, by a cache. */
@Injectable()
export class OperatorDirectory {
  private readonly rights: LiveCache<OperatorRights>;

  constructor(
    private readonly operators: OperatorRepository,
    feed: ChangeFeed,
  ) {
    this.rights = new LiveCache(feed, OPERATORS_CHANNEL, async (userIds) => {
      const operators = await this.operators.findOperators(userIds);
      return new Map(operators.map((operator) => [operator.id, rightsOf(operator)]));
    });
  }

  /**
   * Returns the person's rights as an operator; null for no operator.
   * @param lock read the database, and lock the row until the transaction ends
   */
  async findRights(userId: UserId, lock: boolean): Promise<OperatorRights | null> {
    if (!lock) return (await this.rights.get(userId)) ?? null;
    const held = await this.operators.findForShare(userId);
    return held && rightsOf(held);
  }

  /** Invalidates the cache on every replica, after the commit. */
  @OnLifecycle('operator.changed', 'operator.ceased', { order: LOCK.accounts })
  async announceChange({ userId }: LifecycleEvents['operator.changed']): Promise<void> {
    await this.rights.announce(userId);
  }
}

const rightsOf = ({ role, scopes }: Appointment): OperatorRights => ({
  role,
  scopes: scopes && new Set(scopes),
});
