import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Connection } from '../../connection/index.js';
import { Database } from '../../platform/database/index.js';
import { UpstreamSignOut } from '../../session/index.js';
import { FlowRepository } from '../flow/flow.repository.js';
import { IdentityRepository } from '../linking/identity.repository.js';
import { type NamedSessions, UpstreamSessions } from './upstream-sessions.js';

/** A request of a provider that has been verified. */
interface Verified extends NamedSessions {
  readonly issuer: string;
  /** Id of the request, which counts once, and the time until which it is accepted. */
  readonly once: { readonly id: string; readonly until: Date };
}

/** Ends the sessions that a verified request of a provider names. */
@Injectable()
export class UpstreamSessionEnd {
  constructor(
    private readonly database: Database,
    private readonly flows: FlowRepository,
    private readonly identities: IdentityRepository,
    private readonly upstreams: UpstreamSessions,
    private readonly signOuts: UpstreamSignOut,
  ) {}

  /** @returns false if the request was used before: nothing ends then */
  end(connection: Connection, { issuer, once, ...named }: Verified): Promise<boolean> {
    const { id: connectionId } = connection;
    return this.database.transaction(async () => {
      const proof = hash('sha256', `logout|${connectionId}|${once.id}`, 'buffer');
      if (!(await this.flows.consumeProof(proof, once.until))) return false;
      const { subject } = named;
      const owner =
        subject === null
          ? null
          : await this.identities.findOwner({ connectionId, kind: connection.kind, issuer, subject });
      await this.signOuts.endSessions(owner?.userId ?? null, this.upstreams.match(connectionId, named));
      return true;
    });
  }
}
