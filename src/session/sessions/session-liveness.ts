import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../kernel/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { SESSION_ENDED_CHANNEL, SessionRepository } from './session.repository.js';

/** Checks whether sessions are alive, under the bounds of {@link LiveSet} (API-5). */
@Injectable()
export class SessionLiveness {
  private readonly alive: LiveSet;

  constructor(sessions: SessionRepository, feed: ChangeFeed) {
    this.alive = new LiveSet(feed, SESSION_ENDED_CHANNEL, (ids) => sessions.findAlive(ids));
  }

  /** @throws if the database cannot be reached: that is a 503, never a 401 */
  isAlive(id: SessionId): Promise<boolean> {
    return this.alive.has(id);
  }

  /** Removes an ended session from the cache of this replica. */
  forget(id: SessionId): void {
    this.alive.forget(id);
  }
}
