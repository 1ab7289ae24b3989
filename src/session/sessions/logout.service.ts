import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import {
  type LifecycleEvents,
  LOCK,
  type Locked,
  type PersonPrincipal,
  type SessionId,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { type Count, Metrics } from '../../platform/observability/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import type { GrantView } from '../grants/grant.repository.js';
import { SessionRepository } from './session.repository.js';
import { sessionEvent } from './session.service.js';

const REUSES = ['refresh-token', 'satellite-code', 'external-code', 'hosted-code'] as const;

/** A single-use token or code that was presented again. */
export type Reuse = (typeof REUSES)[number];

/**
 * Ends sessions before they expire. All methods lock sessions and then their grants, in id order.
 */
@Injectable()
export class LogoutService {
  private readonly reuses: Count<{ what: typeof REUSES }>;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    metrics: Metrics,
  ) {
    this.reuses = metrics.counter({
      name: 'gatehouse_reuse_detections_total',
      help: 'Single-use tokens and codes that were presented again, by type. The session ended.',
      labels: { what: REUSES },
    });
  }

  /** Ends the session of the request. */
  async logout({ userId, sessionId }: PersonPrincipal): Promise<void> {
    await this.endSession(userId, sessionId);
  }

  /**
   * Ends all sessions of the account and voids its pending codes.
   * @returns the number of ended sessions
   */
  async logoutAll({ userId }: Pick<PersonPrincipal, 'userId'>): Promise<number> {
    const ended = await this.endSessionsAndCodes(userId, () => this.sessions.endAll(userId));
    return ended.length;
  }

  /** Ends all sessions of the account except that of the request, and voids its pending codes. */
  async logoutOthers({ userId, sessionId }: PersonPrincipal): Promise<void> {
    await this.endSessionsAndCodes(userId, () => this.sessions.endOthers(userId, sessionId));
  }

  /**
   * Ends the sessions of the account that no client has used for this number of days, except that
   * of the request.
   * @returns the number of sessions that have ended
   */
  async endInactiveSessions({ userId, sessionId }: PersonPrincipal, days: number): Promise<number> {
    const ended = await this.endSessions(userId, () => this.sessions.endInactive(userId, sessionId, days));
    return ended.length;
  }

  /**
   * Ends one session of the account. Does nothing if it has ended, or belongs to another account.
   * @returns whether it was active
   */
  async endSession(userId: UserId, id: SessionId): Promise<boolean> {
    const ended = await this.endSessions(userId, () => this.sessions.end(id, userId));
    return ended.length > 0;
  }

  /** Ends these sessions of the account. */
  async endThese(userId: UserId, ids: readonly SessionId[]): Promise<void> {
    await this.endSessions(userId, () => this.sessions.endThese(userId, ids));
  }

  /** Ends the sessions of the account with a sign-in by one of the connections. */
  async endSessionsByConnections(userId: Locked<UserId>, connectionIds: readonly string[]): Promise<void> {
    if (connectionIds.length > 0)
      await this.endSessions(userId, () => this.sessions.endByConnections(userId, connectionIds));
  }

  /** Ends all sessions in the transaction that resets the password or suspends the account. */
  @OnLifecycle('account.password-reset', 'account.suspended', { order: LOCK.sessions })
  async endAllSessions({ userId }: { userId: UserId }): Promise<void> {
    await this.endSessions(userId, () => this.sessions.endAll(userId));
  }

  /** Ends all sessions except that in which the password was changed. */
  @OnLifecycle('account.password-changed', { order: LOCK.sessions })
  async endOtherSessions({ userId, sessionId }: { userId: UserId; sessionId: SessionId }): Promise<void> {
    await this.endSessions(userId, () => this.sessions.endOthers(userId, sessionId));
  }

  /** Ends and deletes all sessions in the transaction that erases the account. */
  @OnLifecycle('account.erased', { order: LOCK.sessions })
  async deleteSessions({ userId, tenantIds }: LifecycleEvents['account.erased']): Promise<void> {
    await this.endSessions(userId, () => this.sessions.endAll(userId), tenantIds);
    await this.sessions.deleteAll(userId);
  }

  /**
   * Ends a session because a single-use token or code was presented twice: an attacker has it, or
   * had it (RFC 9700 section 4.14.2).
   */
  async endSessionAfterReuse(
    { sessionId, userId }: Pick<GrantView, 'sessionId' | 'userId'>,
    what: Reuse,
  ): Promise<void> {
    this.reuses.inc({ what });
    await this.endSessions(userId, async () => {
      const ended = await this.sessions.end(sessionId, userId);
      if (ended.length > 0) await this.audit.record(sessionEvent(`${what}-reused`, userId, sessionId));
      return ended;
    });
  }

  /**
   * Ends sessions under the lock of the account and voids codes of external sign-ins, so that none
   * of them starts a session after the logout.
   */
  private endSessionsAndCodes(userId: UserId, end: () => Promise<SessionId[]>): Promise<SessionId[]> {
    return this.endSessions(userId, async () => {
      const locked = await this.accounts.lockForUpdate(userId);
      await this.lifecycle.emit('account.signed-out', { userId: locked });
      return end();
    });
  }

  /**
   * Ends sessions in one transaction.
   * @param concerns organizations of a person who has left them already
   * @returns the ids of the sessions that have ended
   */
  private endSessions(
    userId: UserId,
    end: () => Promise<SessionId[]>,
    concerns?: readonly TenantId[],
  ): Promise<SessionId[]> {
    return this.database.transaction(async () => {
      const ended = await end();
      if (ended.length > 0) await this.lifecycle.emit('session.ended', { sessionIds: ended });
      await this.audit.record(
        ...ended.map((id) => ({ ...sessionEvent('ended', userId, id), ...(concerns && { concerns }) })),
      );
      return ended;
    });
  }
}
