import { Injectable } from '@nestjs/common';
import type { LifecycleEvents, PersonPrincipal } from '../../kernel/index.js';
import { Database, Primary } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { GRANT_ENDED_CHANNEL, GrantRepository } from '../grants/grant.repository.js';
import { SESSION_ENDED_CHANNEL, SessionRepository } from './session.repository.js';

/**
 * Checks whether sessions are alive, and grants of OpenID Connect, which can end before their
 * session, under the bounds of {@link LiveSet} (API-5).
 */
@Injectable()
export class SessionLiveness {
  private readonly sessions: LiveSet;
  private readonly grants: LiveSet;

  constructor(
    sessions: SessionRepository,
    grants: GrantRepository,
    feed: ChangeFeed,
    private readonly primary: Primary,
    private readonly database: Database,
  ) {
    this.sessions = new LiveSet(feed, SESSION_ENDED_CHANNEL, (ids) => sessions.findAlive(ids));
    this.grants = new LiveSet(feed, GRANT_ENDED_CHANNEL, (ids) => grants.findAliveIds(ids));
  }

  /**
   * Returns whether neither the session of a principal has ended nor, with OpenID Connect, the
   * grant. The primary confirms that one has.
   * @throws if the database cannot be reached: that is a 503, never a 401
   */
  async isAlive({
    sessionId,
    grantId,
    grantedScopes,
  }: Pick<PersonPrincipal, 'sessionId' | 'grantId' | 'grantedScopes'>): Promise<boolean> {
    if (
      (await this.sessions.has(sessionId)) &&
      (grantedScopes === undefined || (await this.grants.has(grantId)))
    )
      return true;
    await this.primary.confirmRead();
    return false;
  }

  /** Removes ended sessions from the cache of this replica, after the commit. */
  @OnLifecycle('session.ended')
  async forgetEnded({ sessionIds }: LifecycleEvents['session.ended']): Promise<void> {
    this.database.afterCommit(() => sessionIds.forEach((id) => this.sessions.forget(id)));
  }

  /** Removes an ended grant from the cache of this replica. */
  forgetGrant(grantId: string): void {
    this.grants.forget(grantId);
  }
}
