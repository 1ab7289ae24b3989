import {
  AbilityPolicy,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../ability/index.js';
import { SessionRepository, type OwnSession } from './session.repository.js';
import '../session.messages.js';

/** Decides what people may do with their own sessions. */
@AbilityPolicy({ module: 'iam', entity: 'session', collection: 'sessions' })
export class SessionPolicy implements EntityPolicy<OwnSession> {
  constructor(private readonly sessions: SessionRepository) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, OwnSession>> {
    const found = await this.sessions.findOwn(principal.userId, ids, lock);
    return new Map(found.map((session) => [session.id, session]));
  }

  @Scope('end', { audience: 'everyone', firstParty: true, ownProof: 'if-available' })
  end({ alive }: OwnSession): true | Refusal {
    return alive || forbid('session.ended');
  }
}
