import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../platform/cleanup/index.js';
import { Database, turnEnd } from '../../platform/database/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { SessionRepository } from './session.repository.js';

/** Sessions per transaction. */
const BATCH = 100;

/** Removes sessions whose time is over, and tells the clients that were signed in by them. */
@Injectable()
export class ExpiredSessions {
  constructor(
    private readonly database: Database,
    private readonly sessions: SessionRepository,
    private readonly lifecycle: Lifecycle,
  ) {}

  /** @returns whether sessions are left because the time of the turn was over */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.repeatUntil(turnEnd(), () => this.database.transaction(() => this.removeBatch()));
  }

  private async removeBatch(): Promise<boolean> {
    const expired = await this.sessions.findExpiredForUpdate(BATCH);
    // Those that had been ended before have told their clients then.
    const sessionIds = expired.flatMap(({ id, isEnded }) => (isEnded ? [] : [id]));
    if (sessionIds.length > 0) await this.lifecycle.emit('session.ended', { sessionIds });
    if (expired.length > 0) await this.sessions.delete(expired.map(({ id }) => id));
    return expired.length === BATCH;
  }
}
