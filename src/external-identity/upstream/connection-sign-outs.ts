import { Injectable } from '@nestjs/common';
import { END_SESSIONS, type SessionsToEnd } from '../../connection/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { LogoutService } from '../../session/index.js';
import { IdentityRepository } from '../linking/identity.repository.js';

/** People of one page. Each is signed out in a transaction of their own. */
const PAGE = 100;

/** Ends the sessions that began by a connection, once an administrator has disabled it. */
@Injectable()
export class ConnectionSignOuts {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly logouts: LogoutService,
  ) {}

  /** May run again after it was stopped: a session that has ended stays so. */
  @JobHandler({ task: END_SESSIONS })
  async end({ connectionId }: SessionsToEnd): Promise<void> {
    let after = '';
    for (let count = PAGE; count === PAGE;) {
      const owners = await this.identities.listOwnersOf(connectionId, after, PAGE);
      for (const userId of owners) await this.logouts.logoutOfConnection(userId, connectionId);
      count = owners.length;
      after = owners.at(-1) ?? after;
    }
  }
}
