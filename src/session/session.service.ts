import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { AccountService, AuditTrail, CredentialService } from '../iam/index.js';
import { SETTINGS, type Settings } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { AppError } from '../platform/errors/index.js';
import {
  newId,
  FIRST_PARTY_CLIENT,
  type Client,
  type Page,
  type Principal,
  type SessionId,
  type UserId,
} from '../platform/http/index.js';
import { Metrics } from '../platform/observability/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { SessionLiveness } from './session-liveness.js';
import { SessionRepository, type SessionSummary } from './session.repository.js';
import { TokenIssuer } from './token-issuer.js';
import type { TokenResponse } from './token.response.js';

/** Sessions from login to logout. */
@Injectable()
export class SessionService {
  private readonly logins: Counter<'outcome'>;

  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialService,
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly liveness: SessionLiveness,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.logins = metrics.counter({
      name: 'gatehouse_logins_total',
      help: 'Logins by outcome.',
      labels: ['outcome'],
    });
  }

  /** @throws {AppError} invalid-credentials, email-not-verified */
  async login(email: string, password: string, client: Client): Promise<TokenResponse> {
    const { userId, passwordVersion } = await this.credentials
      .prove(email, password, client)
      .catch((error: unknown) => {
        if (error instanceof AppError) this.logins.inc({ outcome: error.code });
        throw error;
      });
    const sessionId = newId() as SessionId;
    const grantId = newId();
    const authTime = await this.database.transaction(async () => {
      await this.accounts.requireUnchanged(userId, passwordVersion);
      const createdAt = await this.sessions.insert(
        sessionId,
        userId,
        ['pwd'],
        client,
        this.settings.SESSION_TTL,
      );
      await this.grants.insert(
        grantId,
        sessionId,
        userId,
        FIRST_PARTY_CLIENT,
        this.settings.REFRESH_IDLE_TTL,
      );
      await this.record('started', userId, sessionId);
      return createdAt;
    });
    this.logins.inc({ outcome: 'signed-in' });
    return this.tokens.issue({
      grantId,
      sessionId,
      userId,
      authTime,
      clientId: FIRST_PARTY_CLIENT,
      tenantId: null,
      generation: 1,
      amr: ['pwd'],
      refreshExpiresIn: Math.min(this.settings.REFRESH_IDLE_TTL, this.settings.SESSION_TTL),
    });
  }

  async logout({ userId, sessionId }: Principal): Promise<void> {
    await this.ending(userId, () => this.sessions.end(sessionId, userId));
  }

  async logoutAll({ userId }: Principal): Promise<void> {
    await this.ending(userId, async () => {
      await this.accounts.lock(userId);
      return this.sessions.endAll(userId);
    });
  }

  async logoutOthers({ userId, sessionId }: Principal): Promise<void> {
    await this.ending(userId, async () => {
      await this.accounts.lock(userId);
      return this.sessions.endOthers(userId, sessionId);
    });
  }

  list(userId: UserId, page: Page): Promise<SessionSummary[]> {
    return this.sessions.listAlive(userId, page);
  }

  async endOne(userId: UserId, id: SessionId): Promise<void> {
    await this.ending(userId, () => this.sessions.end(id, userId));
  }

  @OnLifecycle('account.password-reset')
  async endAllAfterReset({ userId }: { userId: UserId }): Promise<void> {
    await this.ending(userId, () => this.sessions.endAll(userId));
  }

  @OnLifecycle('account.password-changed')
  async endOthersAfterChange({ userId, sessionId }: { userId: UserId; sessionId: SessionId }): Promise<void> {
    await this.ending(userId, () => this.sessions.endOthers(userId, sessionId));
  }

  @OnLifecycle('account.erased')
  async deleteAllAfterErasure({ userId }: { userId: UserId }): Promise<void> {
    await this.ending(userId, () => this.sessions.endAll(userId));
    await this.sessions.deleteAll(userId);
  }

  /**
   * Ends a session because something that is good once was presented twice: a thief has it, or had it.
   * @param what for the audit trail
   */
  async endReused(
    { sessionId, userId }: Pick<GrantView, 'sessionId' | 'userId'>,
    what: 'refresh-token-reused' | 'satellite-code-reused',
  ): Promise<void> {
    await this.ending(userId, async () => {
      const ended = await this.sessions.end(sessionId, userId);
      if (ended.length > 0) await this.record(what, userId, sessionId);
      return ended;
    });
  }

  /** Ends sessions in one transaction and forgets them here as soon as it has committed. */
  private async ending(userId: UserId, end: () => Promise<SessionId[]>): Promise<void> {
    await this.database.transaction(async () => {
      const ended = await end();
      for (const id of ended) await this.record('ended', userId, id);
      this.database.afterCommit(() => ended.forEach((id) => this.liveness.ended(id)));
    });
  }

  private record(what: string, actorId: UserId, id: SessionId): Promise<void> {
    return this.audit.record({ actorId, action: `session.${what}`, subject: `iam/sessions/${id}` });
  }
}
