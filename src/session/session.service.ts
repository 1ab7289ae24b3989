import { Inject, Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { ulid } from 'ulid';
import { AccountService, CredentialService } from '../iam/index.js';
import { SETTINGS, type Settings } from '../platform/config/index.js';
import { Database } from '../platform/database/index.js';
import { AppError } from '../platform/errors/index.js';
import type { Client, Principal, SessionId, UserId } from '../platform/http/index.js';
import { Metrics } from '../platform/observability/index.js';
import { OnLifecycle } from '../platform/lifecycle/index.js';
import { AccessTokenService } from './access-token.service.js';
import { GrantRepository, type GrantView } from './grant.repository.js';
import { RefreshTokenCodec } from './refresh-token.js';
import { SessionLiveness } from './session-liveness.js';
import { SessionRepository, type SessionSummary } from './session.repository.js';
import type { TokenResponse } from './token.response.js';

/** Our own app, in the `client_id` of its tokens. */
const FIRST_PARTY_CLIENT = 'gatehouse';

/** Sessions from login to logout. */
@Injectable()
export class SessionService {
  private readonly logins: Counter<'outcome'>;
  private readonly refreshes: Counter<'outcome'>;

  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialService,
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly liveness: SessionLiveness,
    private readonly accessTokens: AccessTokenService,
    private readonly refreshTokens: RefreshTokenCodec,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.logins = metrics.counter({
      name: 'gatehouse_logins_total',
      help: 'Logins by outcome.',
      labels: ['outcome'],
    });
    this.refreshes = metrics.counter({
      name: 'gatehouse_refreshes_total',
      help: 'Refreshes by outcome: rotated, repeated (within the retry window), refused, reused (the session was ended).',
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
    const sessionId = ulid() as SessionId;
    const grantId = ulid();
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
      return createdAt;
    });
    this.logins.inc({ outcome: 'signed-in' });
    return this.tokensOf({
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

  /**
   * Rotates the refresh token. The immediate predecessor gets the same successor again within the retry window; an older one, or one
   * after the window, is reuse and ends the session.
   * @throws {AppError} invalid-refresh-token
   */
  async refresh(refreshToken: string): Promise<TokenResponse> {
    const presented = this.refreshTokens.decode(refreshToken);
    if (!presented) throw this.refused('refused');
    const { grantId, generation } = presented;
    const rotated = await this.grants.rotate(grantId, generation, this.settings.REFRESH_IDLE_TTL);
    if (rotated) {
      this.refreshes.inc({ outcome: 'rotated' });
      return this.tokensOf(rotated);
    }
    const standing = await this.grants.findStanding(grantId, this.settings.REFRESH_RETRY_WINDOW);
    if (!standing?.alive || generation >= standing.generation) throw this.refused('refused');
    if (generation === standing.generation - 1 && standing.withinRetryWindow) {
      this.refreshes.inc({ outcome: 'repeated' });
      return this.tokensOf(standing);
    }
    await this.endReused(standing);
    throw this.refused('reused');
  }

  async logout({ userId, sessionId }: Principal): Promise<void> {
    await this.ending(() => this.sessions.end(sessionId, userId));
  }

  async logoutAll({ userId }: Principal): Promise<void> {
    await this.ending(async () => {
      await this.accounts.lock(userId);
      return this.sessions.endAll(userId);
    });
  }

  async logoutOthers({ userId, sessionId }: Principal): Promise<void> {
    await this.ending(async () => {
      await this.accounts.lock(userId);
      return this.sessions.endOthers(userId, sessionId);
    });
  }

  list(userId: UserId): Promise<SessionSummary[]> {
    return this.sessions.listAlive(userId);
  }

  /** @throws {AppError} not-found for a session that is not the caller's own or has ended */
  async endOne(userId: UserId, id: SessionId): Promise<void> {
    const ended = await this.ending(() => this.sessions.end(id, userId));
    if (ended.length === 0) throw new AppError('not-found');
  }

  @OnLifecycle('account.password-reset')
  async endAllAfterReset({ userId }: { userId: UserId }): Promise<void> {
    await this.ending(() => this.sessions.endAll(userId));
  }

  @OnLifecycle('account.password-changed')
  async endOthersAfterChange({ userId, sessionId }: { userId: UserId; sessionId: SessionId }): Promise<void> {
    await this.ending(() => this.sessions.endOthers(userId, sessionId));
  }

  @OnLifecycle('account.erased')
  async deleteAllAfterErasure({ userId }: { userId: UserId }): Promise<void> {
    await this.ending(() => this.sessions.endAll(userId));
    await this.sessions.deleteAll(userId);
  }

  /** Ends sessions in one transaction and forgets them here as soon as it has committed. */
  private async ending(end: () => Promise<SessionId[]>): Promise<SessionId[]> {
    return this.database.transaction(async () => {
      const ended = await end();
      this.database.afterCommit(() => ended.forEach((id) => this.liveness.ended(id)));
      return ended;
    });
  }

  private async endReused({ sessionId, userId }: GrantView): Promise<void> {
    await this.ending(async () => {
      const ended = await this.sessions.end(sessionId, userId);
      if (ended.length > 0) {
        await this.database.rows(
          'INSERT INTO audit_events (id, account_id, action, session_id) VALUES ($1, $2, $3, $4)',
          [ulid(), userId, 'session.refresh-token-reused', sessionId],
        );
      }
      return ended;
    });
  }

  private refused(outcome: 'refused' | 'reused'): AppError {
    this.refreshes.inc({ outcome });
    return new AppError('invalid-refresh-token');
  }

  private tokensOf(grant: GrantView): TokenResponse {
    const { grantId, generation, sessionId, tenantId, refreshExpiresIn } = grant;
    return {
      tokenType: 'Bearer',
      accessToken: this.accessTokens.sign(grant),
      expiresIn: this.settings.ACCESS_TOKEN_TTL,
      refreshToken: this.refreshTokens.encode({ grantId, generation }),
      refreshExpiresIn,
      sessionId,
      tenantId,
    };
  }
}
