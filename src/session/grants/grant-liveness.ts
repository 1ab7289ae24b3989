import { Injectable } from '@nestjs/common';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { GRANT_ENDED_CHANNEL, GrantRepository } from './grant.repository.js';

/**
 * Checks whether grants of OpenID Connect are alive, under the bounds of {@link LiveSet}: unlike
 * others, they can end before their session.
 */
@Injectable()
export class GrantLiveness {
  private readonly alive: LiveSet;

  constructor(grants: GrantRepository, feed: ChangeFeed) {
    this.alive = new LiveSet(feed, GRANT_ENDED_CHANNEL, (ids) => grants.findAliveIds(ids));
  }

  /** @throws if the database cannot be reached: that is a 503, never a 401 */
  isAlive(grantId: string): Promise<boolean> {
    return this.alive.has(grantId);
  }

  /** Removes an ended grant from the cache of this replica. */
  forget(grantId: string): void {
    this.alive.forget(grantId);
  }
}
