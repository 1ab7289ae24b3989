import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import { type Locked, newId, type SessionId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import { eventsOf } from './impersonation-events.js';
import { ImpersonationExpiry } from './impersonation-expiry.js';
import type { ImpersonationEntity } from './impersonation.entity.js';
import {
  ImpersonationRepository,
  type JudgedImpersonation,
  type NewImpersonation,
} from './impersonation.repository.js';

/** Session in which an operator acts as a person. */
export type Impersonated = Pick<
  ImpersonationEntity,
  'id' | 'operatorId' | 'tenantId' | 'reason' | 'ticket' | 'expiresAt'
>;

/** Token of a session in which an operator acts as a person. There is no refresh token. */
export interface ActingToken {
  readonly sessionId: SessionId;
  readonly accessToken: string;
  /** Seconds until the session ends, and the token with it. */
  readonly expiresIn: number;
}

/**
 * Starts the sessions in which operators act as people. Each is of one organization, whose consent
 * the caller has checked, and ends with it.
 */
@Injectable()
export class ImpersonationService {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly sessions: SessionRepository,
    private readonly tokens: TokenIssuer,
    private readonly expiry: ImpersonationExpiry,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Starts a session as the person, whose account and organization allow it. Locks the session of
   * the operator: a concurrent sign-out would not find this impersonation, which would outlive it.
   * @param until end of the permission of the organization; null for none
   * @throws {AppError} unauthenticated if the session of the operator has ended
   */
  async start(
    asked: Omit<NewImpersonation, 'id' | 'grantId'> & { readonly userId: Locked<UserId> },
    until: Date | null,
  ): Promise<ActingToken> {
    if (!(await this.sessions.lockAliveForShare(asked.operatorSessionId)))
      throw new AppError('unauthenticated');
    const made = { ...asked, id: newId() as SessionId, grantId: newId() };
    const { startedAt, seconds } = await this.impersonations.insert(made, until);
    await this.expiry.schedule(made.id, seconds);
    await this.audit.record(...eventsOf(made, 'started'));
    const accessToken = await this.tokens.signForActor(made, startedAt, seconds);
    return { sessionId: made.id, accessToken, expiresIn: seconds };
  }

  /** @returns null for a session of the person's own */
  async find(id: SessionId): Promise<Impersonated | null> {
    const found = await this.impersonations.find(id);
    if (!found) return null;
    const { operatorId, tenantId, reason, ticket, expiresAt } = found;
    return { id, operatorId, tenantId, reason, ticket, expiresAt };
  }

  findJudged(ids: readonly string[]): Promise<JudgedImpersonation[]> {
    return this.impersonations.findJudged(ids);
  }
}
