import { Injectable } from '@nestjs/common';
import { isHeldByOperator } from '../../ability/index.js';
import { AuditTrail, MembershipDirectory } from '../../iam/index.js';
import {
  type LifecycleEvents,
  LOCK,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { LogoutService } from '../sessions/logout.service.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { ACT, eventsOf } from './impersonation-events.js';
import type { ImpersonationEntity } from './impersonation.entity.js';
import { TELL_TASK } from './impersonation-mails.js';
import { ImpersonationRepository } from './impersonation.repository.js';

/** Ends the sessions in which operators act as people, with whatever allowed them. */
@Injectable()
export class ImpersonationEnd {
  constructor(
    private readonly impersonations: ImpersonationRepository,
    private readonly sessions: SessionRepository,
    private readonly logouts: LogoutService,
    private readonly directory: MembershipDirectory,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
  ) {}

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
      await this.audit.record(...eventsOf(ended, 'ended'));
      await this.jobs.add(TELL_TASK, { id: ended.id });
    }
    await this.endAll(await this.impersonations.listAliveOfOperatorSessions(sessionIds));
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
}
