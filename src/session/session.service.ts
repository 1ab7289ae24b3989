import { Inject, Injectable } from '@nestjs/common';
import { AccountService, AuditTrail, CredentialService } from '../iam/index.js';
import { SETTINGS, type Settings } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { toAppError } from '../platform/errors/index.js';
import {
  newId,
  FIRST_PARTY_CLIENT,
  type Client,
  type Page,
  type Principal,
  type SessionId,
  type UserId,
} from '../platform/http/index.js';
import { Metrics, type Count } from '../platform/observability/index.js';
import { Lifecycle, OnLifecycle } from '../platform/lifecycle/index.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { SessionLiveness } from './session-liveness.js';
import { SessionRepository, type SessionSummary } from './session.repository.js';
import { TokenIssuer } from './token-issuer.js';
import type { TokenResponse } from './token.response.js';

const LOGIN_OUTCOMES = ['signed-in', 'invalid-credentials', 'email-not-verified', 'unavailable'] as const;
const REUSES = ['refresh-token', 'satellite-code', 'external-code'] as const;

/** Sessions from login to logout. */
@Injectable()
export class SessionService {
  private readonly logins: Count<{ outcome: typeof LOGIN_OUTCOMES }>;
  private readonly reuses: Count<{ what: typeof REUSES }>;

  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialService,
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly liveness: SessionLiveness,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.logins = metrics.counter({
      name: 'gatehouse_logins_total',
      help: 'Logins with address and password, by outcome.',
      labels: { outcome: LOGIN_OUTCOMES },
    });
    this.reuses = metrics.counter({
      name: 'gatehouse_reuse_detections_total',
      help: 'What is good once and was presented again, by what it was. The session ended.',
      labels: { what: REUSES },
    });
  }

  /** @throws {AppError} invalid-credentials, email-not-verified */
  async login(email: string, password: string, client: Client): Promise<TokenResponse> {
    const grant = await this.begun(email, password, client).catch((error: unknown) => {
      const { code } = toAppError(error);
      this.logins.inc({ outcome: LOGIN_OUTCOMES.find((outcome) => outcome === code) ?? 'unavailable' });
      throw error;
    });
    this.logins.inc({ outcome: 'signed-in' });
    return this.tokens.issue(grant);
  }

  /**
   * Begins a session of somebody who has proven themselves elsewhere. Joins the open transaction.
   * @param amr how they did (RFC 8176, or the kind of sign-in)
   * @throws {AppError} unauthenticated when the account is gone or suspended
   */
  begin(userId: UserId, amr: readonly string[], client: Client): Promise<GrantView> {
    return this.database.transaction(async () => {
      await this.accounts.requireActive(userId);
      return this.insert(userId, amr, client);
    });
  }

  /** The tokens of a session that has just begun, once its transaction has committed. */
  tokensOf(grant: GrantView): Promise<TokenResponse> {
    return this.tokens.issue(grant);
  }

  isRecent(id: SessionId, seconds: number): Promise<boolean> {
    return this.sessions.isRecent(id, seconds);
  }

  /**
   * Holds the account and the session, so that neither ends before the open transaction. False where the session has ended.
   * @throws {AppError} unauthenticated when the account is gone
   */
  async hold({ userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>): Promise<boolean> {
    await this.accounts.requireExisting(userId); // a suspended one has no session that is alive
    return this.sessions.holdAlive(sessionId);
  }

  async logout({ userId, sessionId }: Principal): Promise<void> {
    await this.ending(userId, () => this.sessions.end(sessionId, userId));
  }

  /** @returns how many have ended */
  async logoutAll({ userId }: Pick<Principal, 'userId'>): Promise<number> {
    const ended = await this.ending(userId, async () => {
      await this.accounts.lock(userId);
      await this.lifecycle.emit('account.signed-out', { userId });
      return this.sessions.endAll(userId);
    });
    return ended.length;
  }

  async logoutOthers({ userId, sessionId }: Principal): Promise<void> {
    await this.ending(userId, async () => {
      await this.accounts.lock(userId);
      await this.lifecycle.emit('account.signed-out', { userId });
      return this.sessions.endOthers(userId, sessionId);
    });
  }

  list(userId: UserId, page: Page): Promise<SessionSummary[]> {
    return this.sessions.listAlive(userId, page);
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
    await this.ending(userId, () => this.sessions.endAll(userId));
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
      if (ended.length > 0) await this.record(`${what}-reused`, userId, sessionId);
      return ended;
    });
  }

  private async begun(email: string, password: string, client: Client): Promise<GrantView> {
    const { userId, passwordVersion } = await this.credentials.prove(email, password, client);
    return this.database.transaction(async () => {
      await this.accounts.requireUnchanged(userId, passwordVersion);
      return this.insert(userId, ['pwd'], client);
    });
  }

  /** The account is held. */
  private async insert(userId: UserId, amr: readonly string[], client: Client): Promise<GrantView> {
    const sessionId = newId() as SessionId;
    const grantId = newId();
    const { SESSION_TTL, REFRESH_IDLE_TTL } = this.settings;
    const authTime = await this.sessions.insert(sessionId, userId, amr, client, SESSION_TTL);
    await this.grants.insert(grantId, sessionId, userId, FIRST_PARTY_CLIENT, REFRESH_IDLE_TTL);
    await this.record('started', userId, sessionId);
    return {
      grantId,
      sessionId,
      userId,
      authTime,
      clientId: FIRST_PARTY_CLIENT,
      tenantId: null,
      generation: 1,
      amr: [...amr],
      refreshExpiresIn: Math.min(REFRESH_IDLE_TTL, SESSION_TTL),
    };
  }

  /** Ends sessions in one transaction and forgets them here as soon as it has committed. */
  private ending(userId: UserId, end: () => Promise<SessionId[]>): Promise<SessionId[]> {
    return this.database.transaction(async () => {
      const ended = await end();
      for (const id of ended) await this.record('ended', userId, id);
      this.database.afterCommit(() => ended.forEach((id) => this.liveness.ended(id)));
      return ended;
    });
  }

  private record(what: string, actorId: UserId, id: SessionId): Promise<void> {
    return this.audit.record({ actorId, action: `session.${what}`, subject: `iam/sessions/${id}` });
  }
}
