import { Injectable } from '@nestjs/common';
import { CallerScopes, isHeldByOperator } from '../../ability/index.js';
import { AuditTrail, MembershipDirectory } from '../../iam/index.js';
import {
  FIRST_PARTY_CLIENT,
  type LifecycleEvents,
  LOCK,
  type Locked,
  newId,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { LogoutService } from '../sessions/logout.service.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { AccessTokenService } from '../tokens/access-token.service.js';
import { ACT } from './act.js';
import type { ImpersonationEntity } from './impersonation.entity.js';
import { ImpersonationMails } from './impersonation-mails.js';
import {
  ImpersonationRepository,
  type JudgedImpersonation,
  type NewImpersonation,
} from './impersonation.repository.js';

const END_TASK = 'session.end-impersonation';
const MAIL_TASK = 'session.tell-of-impersonation';

/** Session in which an operator acts as a person. */
export interface Impersonated {
  /** Id of the impersonation. */
  readonly id: string;
  readonly operatorId: UserId;
  readonly tenantId: TenantId;
  readonly reason: string;
  /** Number of the case at support; null if the operator gave none. */
  readonly ticket: string | null;
  readonly expiresAt: Date;
}

/** Token of a session in which an operator acts as a person. There is no refresh token. */
export interface ActingToken {
  readonly sessionId: SessionId;
  readonly accessToken: string;
  /** Seconds until the session ends, and the token with it. */
  readonly expiresIn: number;
}

/**
 * Starts and ends the sessions in which operators act as people. Each is of one organization, whose
 * consent the caller has checked, and ends with it.
 */
@Injectable()
export class ImpersonationService {
  constructor(
    private readonly database: Database,
    private readonly impersonations: ImpersonationRepository,
    private readonly accessTokens: AccessTokenService,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
    private readonly sessions: SessionRepository,
    private readonly logouts: LogoutService,
    private readonly mails: ImpersonationMails,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
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
    const { userId, tenantId, operatorId, operatorSessionId } = asked;
    if (!(await this.sessions.lockAliveForShare(operatorSessionId))) throw new AppError('unauthenticated');
    const made = { ...asked, id: newId() as SessionId, grantId: newId() };
    const { startedAt, seconds } = await this.impersonations.insert(made, until);
    await this.jobs.add(END_TASK, { id: made.id }, { delaySeconds: seconds });
    await this.record(made, 'started');
    const held = (await this.directory.findScopes(userId, tenantId)) ?? [];
    const scopes = held.filter((scope) => this.callers.isForActors(scope));
    const accessToken = this.accessTokens.sign({
      userId,
      tenantId,
      scopes,
      sessionId: made.id,
      grantId: made.grantId,
      clientId: FIRST_PARTY_CLIENT,
      authTime: startedAt,
      aal2Time: null,
      phrTime: null,
      trustedDevice: false,
      amr: [],
      actorId: operatorId,
      lifetimeSeconds: seconds,
    });
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

  /** Ends an impersonation. Does nothing if it has ended. */
  async end(id: SessionId): Promise<void> {
    const found = await this.impersonations.find(id);
    if (found) await this.endAll([found]);
  }

  /**
   * Notes the end of sessions, by whatever cause, records it, and has the people mailed. Ends what
   * an operator does as people with the session in which it started.
   */
  @OnLifecycle('session.ended', { order: LOCK.sessions })
  async noteEnd({ sessionIds }: LifecycleEvents['session.ended']): Promise<void> {
    for (const ended of await this.impersonations.end(sessionIds)) {
      await this.record(ended, 'ended');
      await this.jobs.add(MAIL_TASK, { id: ended.id });
    }
    await this.endAll(await this.impersonations.listAliveOfOperatorSessions(sessionIds));
  }

  /** Mails the person, by a separate job: not with their account and the operator's locked. */
  @JobHandler({ task: MAIL_TASK })
  async tell({ id }: { readonly id: SessionId }): Promise<void> {
    await this.database.transaction(async () => {
      const ended = await this.impersonations.find(id);
      if (ended) await this.mails.tell(ended);
    });
  }

  /** Notes the end of a session that has expired. */
  @JobHandler({ task: END_TASK })
  async expire({ id }: { readonly id: SessionId }): Promise<void> {
    await this.database.transaction(() => this.noteEnd({ sessionIds: [id] }));
  }

  @OnLifecycle('tenant.support-ended', { order: LOCK.sessions })
  async endOfTenant({ tenantId }: { tenantId: TenantId }): Promise<void> {
    await this.endAll(await this.impersonations.listAliveOfTenant(tenantId));
  }

  /**
   * Ends it for good with the membership, which may come back. Locks all sessions of the person
   * first, because a further listener does, in order of id.
   */
  @OnLifecycle('memberships.ended', 'memberships.suspended', { order: LOCK.sessions })
  async endOfMember({ userId, tenantIds }: LifecycleEvents['memberships.ended']): Promise<void> {
    const found = await this.impersonations.listAliveOfMember(userId, tenantIds);
    if (found.length === 0) return;
    await this.sessions.lockAllForUpdate(userId);
    await this.endAll(found);
  }

  /** Ends what an operator does as people, when the operator signs out or has a new password. */
  @OnLifecycle('account.signed-out', 'account.suspended', 'account.password-reset', 'operator.ceased', {
    order: LOCK.sessions,
  })
  async endOfOperator({ userId }: { userId: UserId }): Promise<void> {
    await this.endAll(await this.impersonations.listAliveOfOperator(userId));
  }

  /** Ends it for good where the operator may no longer do it: the rights may come back. */
  @OnLifecycle('operator.changed', { order: LOCK.sessions })
  async reviewOfOperator({ userId }: { userId: UserId }): Promise<void> {
    if (isHeldByOperator(ACT, await this.directory.findOperatorRights(userId, true))) return;
    await this.endOfOperator({ userId });
  }

  @OnLifecycle('account.erased', { order: LOCK.sessions })
  async removeOfAccount({ userId }: { userId: UserId }): Promise<void> {
    await this.impersonations.removeOfAccount(userId);
  }

  @OnLifecycle('tenant.deleting', { order: LOCK.sessions })
  async removeOfTenant({ tenantId, batch, repeat }: LifecycleEvents['tenant.deleting']): Promise<void> {
    if ((await this.impersonations.removeOfTenant(tenantId, batch)) === batch) repeat();
  }

  private async endAll(found: readonly ImpersonationEntity[]): Promise<void> {
    for (const { userId, id } of found) await this.logouts.endSession(userId, id);
  }

  /** Records in the trail of the person and the organization, and in the operator's. */
  private async record(
    { id, userId, tenantId, operatorId, ticket }: Omit<NewImpersonation, 'grantId' | 'operatorSessionId'>,
    what: string,
  ): Promise<void> {
    const subject = `platform/impersonations/${id}`;
    const acted = { actorId: userId, impersonatorId: operatorId, tenantId };
    await this.audit.record(
      { ...acted, action: `impersonation.${what}`, subject, ticket },
      { actorId: operatorId, action: `operator.impersonation-${what}`, subject, ticket },
    );
  }
}
