import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import type { Principal, SessionId, UserId } from '../../kernel/index.js';
import { type Count, Metrics } from '../../platform/observability/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import type { GrantView } from '../grants/grant.repository.js';
import { sessionEvent } from './session-event.js';
import { SessionLiveness } from './session-liveness.js';
import { SessionRepository } from './session.repository.js';

const REUSES = ['refresh-token', 'satellite-code', 'external-code'] as const;

/** Every way in which sessions end before their time. */
@Injectable()
export class LogoutService {
  private readonly reuses: Count<{ what: typeof REUSES }>;

  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
    private readonly liveness: SessionLiveness,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    metrics: Metrics,
  ) {
    this.reuses = metrics.counter({
      name: 'gatehouse_reuse_detections_total',
      help: 'What is good once and was presented again, by what it was. The session ended.',
      labels: { what: REUSES },
    });
  }

  async logout({ userId, sessionId }: Principal): Promise<void> {
    await this.endOne(userId, sessionId);
  }

  /** @returns how many have ended */
  async logoutAll({ userId }: Pick<Principal, 'userId'>): Promise<number> {
    const ended = await this.signingOut(userId, () => this.sessions.endAll(userId));
    return ended.length;
  }

  async logoutOthers({ userId, sessionId }: Principal): Promise<void> {
    await this.signingOut(userId, () => this.sessions.endOthers(userId, sessionId));
  }

  async endOne(userId: UserId, id: SessionId): Promise<void> {
    await this.ending(userId, () => this.sessions.end(id, userId));
  }

  @OnLifecycle('account.password-reset', 'account.suspended')
  async endAll({ userId }: { userId: UserId }): Promise<void> {
    await this.ending(userId, () => this.sessions.endAll(userId));
  }

  @OnLifecycle('account.password-changed')
  async endOthersAfterChange({ userId, sessionId }: { userId: UserId; sessionId: SessionId }): Promise<void> {
    await this.ending(userId, () => this.sessions.endOthers(userId, sessionId));
  }

  @OnLifecycle('account.erased')
  async deleteAllAfterErasure({ userId }: { userId: UserId }): Promise<void> {
    await this.endAll({ userId });
    await this.sessions.deleteAll(userId);
  }

  /**
   * Ends a session because something that is good once was presented twice: a thief has it, or had it.
   */
  async endReused(
    { sessionId, userId }: Pick<GrantView, 'sessionId' | 'userId'>,
    what: (typeof REUSES)[number],
  ): Promise<void> {
    this.reuses.inc({ what });
    await this.ending(userId, async () => {
      const ended = await this.sessions.end(sessionId, userId);
      if (ended.length > 0) await this.audit.record(sessionEvent(`${what}-reused`, userId, sessionId));
      return ended;
    });
  }

  /** Of several devices: codes that are under way are void as well, and no session begins meanwhile. */
  private signingOut(userId: UserId, end: () => Promise<SessionId[]>): Promise<SessionId[]> {
    return this.ending(userId, async () => {
      await this.accounts.lock(userId);
      await this.lifecycle.emit('account.signed-out', { userId });
      return end();
    });
  }

  /** Ends sessions in one transaction and forgets them here as soon as it has committed. */
  private ending(userId: UserId, end: () => Promise<SessionId[]>): Promise<SessionId[]> {
    return this.database.transaction(async () => {
      const ended = await end();
      await this.audit.record(...ended.map((id) => sessionEvent('ended', userId, id)));
      this.database.afterCommit(() => ended.forEach((id) => this.liveness.ended(id)));
      return ended;
    });
  }
}
