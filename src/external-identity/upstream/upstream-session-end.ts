import { Injectable } from '@nestjs/common';
import { type Connection, END_SESSIONS, type SessionsToEnd } from '../../connection/index.js';
import { Database } from '../../platform/database/index.js';
import { UpstreamSignOut } from '../../session/index.js';
import { FlowRepository } from '../flow/flow.repository.js';
import { IdentityRepository } from '../linking/identity.repository.js';
import { type NamedSessions, UpstreamSessions } from './upstream-sessions.js';
import type { UserId } from '../../kernel/index.js';
import { JobHandler } from '../../platform/jobs/index.js';

/** People of one page. Each is signed out in a separate transaction. */
const PAGE = 100;

/** A request of a provider that has been verified. */
interface VerifiedRequest extends NamedSessions {
  readonly issuer: string;
  /** Id of the request, which counts once, and the time until which it is accepted. */
  readonly once: { readonly id: string; readonly until: Date };
}

/** Ends sessions that began by a connection. */
@Injectable()
export class UpstreamSessionEnd {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly identities: IdentityRepository,
    private readonly upstreams: UpstreamSessions,
    private readonly signOuts: UpstreamSignOut,
  ) {}

  /**
   * Ends the sessions that a verified request of the provider names.
   * @returns false if the request was used before: nothing ends then
   */
  end({ id: connectionId }: Connection, { issuer, once, ...named }: VerifiedRequest): Promise<boolean> {
    return this.database.transaction(async () => {
      if (!(await this.flows.consumeProof(`logout|${connectionId}|${once.id}`, once.until))) return false;
      const { subject } = named;
      const owner =
        subject === null ? null : await this.identities.findOwner({ connectionId, issuer, subject });
      await this.signOuts.endSessions(owner?.userId ?? null, this.upstreams.match(connectionId, named));
      return true;
    });
  }

  /**
   * Ends all sessions of a connection, once an administrator has disabled it. May run again after
   * it was stopped: a session that has ended stays so.
   */
  @JobHandler({ task: END_SESSIONS })
  async endAll({ connectionId }: SessionsToEnd): Promise<void> {
    await this.endOf(connectionId, (after) => this.identities.listOwnersOf(connectionId, after, PAGE));
    // A session outlives its identity, which a thief who has signed in by it could unlink.
    await this.endOf(connectionId, (after) => this.signOuts.listSignedIn(connectionId, after, PAGE));
  }

  private async endOf(connectionId: string, list: (after: string) => Promise<UserId[]>): Promise<void> {
    let after = '';
    for (let count = PAGE; count === PAGE;) {
      const people = await list(after);
      for (const userId of people) await this.signOuts.signOut(userId, connectionId);
      count = people.length;
      after = people.at(-1) ?? after;
    }
  }
}
