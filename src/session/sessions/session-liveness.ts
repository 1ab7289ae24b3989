import { Injectable } from '@nestjs/common';
import type { SessionId } from '../../kernel/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { SESSION_ENDED_CHANNEL, SessionRepository } from './session.repository.js';

/** Whether a session is alive, under the bounds of the {@link LiveSet}. */
@Injectable()
export class SessionLiveness {
  private readonly alive: LiveSet;

  constructor(sessions: SessionRepository, feed: ChangeFeed) {
    this.alive = new LiveSet(feed, SESSION_ENDED_CHANNEL, (ids) => sessions.findAlive(ids));
  }

  /** @throws when the database is out of reach: that is a 503 and never a 401 */
  isAlive(id: SessionId): Promise<boolean> {
    return this.alive.has(id);
  }

  /** Forgets a session at once: it has ended. */
  ended(id: SessionId): void {
    this.alive.forget(id);
  }
}
