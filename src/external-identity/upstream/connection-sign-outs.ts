import { Injectable } from '@nestjs/common';
import { END_SESSIONS, type SessionsToEnd } from '../../connection/index.js';
import type { UserId } from '../../kernel/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { UpstreamSignOut } from '../../session/index.js';
import { IdentityRepository } from '../linking/identity.repository.js';

/** People of one page. Each is signed out in a transaction of their own. */
const PAGE = 100;

/** Ends the sessions that began by a connection, once an administrator has disabled it. */
@Injectable()
export class ConnectionSignOuts {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly upstreams: UpstreamSignOut,
  ) {}

  /** May run again after it was stopped: a session that has ended stays so. */
  @JobHandler({ task: END_SESSIONS })
  async end({ connectionId }: SessionsToEnd): Promise<void> {
    await this.endOf(connectionId, (after) => this.identities.listOwnersOf(connectionId, after, PAGE));
    // A session outlives its identity, which a thief who has signed in by it could unlink.
    await this.endOf(connectionId, (after) => this.upstreams.listSignedIn(connectionId, after, PAGE));
  }

  private async endOf(connectionId: string, list: (after: string) => Promise<UserId[]>): Promise<void> {
    let after = '';
    for (let count = PAGE; count === PAGE;) {
      const people = await list(after);
      for (const userId of people) await this.upstreams.signOut(userId, connectionId);
      count = people.length;
      after = people.at(-1) ?? after;
    }
  }
}
