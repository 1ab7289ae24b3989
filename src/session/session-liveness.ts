import { Injectable } from '@nestjs/common';
import type { SessionId } from '../platform/http/index.js';
import { ChangeFeed, LiveCache } from '../platform/live/index.js';
import { SESSION_ENDED_CHANNEL, SessionRepository } from './session.repository.js';

/** Whether a session is alive, under the bounds of the {@link LiveCache}. */
@Injectable()
export class SessionLiveness {
  private readonly alive: LiveCache<true>;

  constructor(sessions: SessionRepository, feed: ChangeFeed) {
    this.alive = new LiveCache(
      feed,
      SESSION_ENDED_CHANNEL,
      async (ids) => new Map((await sessions.listAliveOf(ids)).map((id) => [id, true])),
    );
  }

  /** @throws when the database is out of reach: that is a 503 and never a 401 */
  async isAlive(id: SessionId): Promise<boolean> {
    return (await this.alive.get(id)) !== null;
  }

  /** Forgets a session at once: it has ended. */
  ended(id: SessionId): void {
    this.alive.forget(id);
  }
}
