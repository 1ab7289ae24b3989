import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { FIRST_PARTY_CLIENT, type PersonPrincipal, type UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { LogoutService } from '../sessions/logout.service.js';
import type { EndedUpstream, UpstreamMatch } from './upstream-session.js';
import { UpstreamSessionRepository } from './upstream-session.repository.js';

/** Ends sessions that began by a connection, for its provider or because it was disabled. */
@Injectable()
export class UpstreamSignOut {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly upstreams: UpstreamSessionRepository,
    private readonly logouts: LogoutService,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Finds the session at the provider of the connection by which the session of the request began.
   * Third-party clients get none: the address of a logout there names the person.
   */
  async find({ sessionId, clientId }: PersonPrincipal): Promise<EndedUpstream | null> {
    return clientId === FIRST_PARTY_CLIENT ? this.upstreams.find(sessionId) : null;
  }

  /** Lists accounts with a session that began by a connection, in order of id. */
  listSignedIn(connectionId: string, after: string, limit: number): Promise<UserId[]> {
    return this.upstreams.listAccounts(connectionId, after, limit);
  }

  /**
   * Ends the sessions that the provider of a connection ends, and voids what waits after a sign-in
   * by it. Joins the open transaction.
   * @param owner account of the identity; null if the provider names a session only
   * @returns the number of ended sessions
   */
  endSessions(owner: UserId | null, match: UpstreamMatch): Promise<number> {
    return this.database.transaction(async () => {
      if (owner !== null) {
        const userId = await this.accounts.lockForUpdate(owner); // waits for a code that is being redeemed
        const { connectionId } = match;
        await this.lifecycle.emit('account.signed-out-upstream', { userId, connectionId });
      }
      const found = await this.upstreams.findActive(match);
      for (const userId of new Set(found.map((one) => one.userId))) {
        const ids = found.filter((one) => one.userId === userId).map(({ id }) => id);
        await this.logouts.endThese(userId, ids);
      }
      return found.length;
    });
  }

  /**
   * Ends the sessions of the account with a sign-in by the connection, and voids what waits after
   * one.
   */
  signOut(userId: UserId, connectionId: string): Promise<void> {
    return this.database.transaction(async () => {
      const locked = await this.accounts.lockForUpdate(userId);
      await this.lifecycle.emit('account.signed-out-upstream', { userId: locked, connectionId });
      await this.logouts.endSessionsByConnections(locked, [connectionId]);
    });
  }
}
