import { Inject, Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import {
  FIRST_PARTY_CLIENT,
  newId,
  type Principal,
  type SessionId,
  type UserId,
} from '../../kernel/index.js';
import type { Client } from '../../platform/web/index.js';
import type { Page } from '../../platform/api/index.js';
import { GrantRepository, type GrantView } from '../grants/grant.repository.js';
import { sessionEvent } from './session-event.js';
import { SessionRepository, type SessionSummary } from './session.repository.js';
import { SignInNotices } from '../sign-in-notices/sign-in-notices.js';

/** Starts, locks and lists sessions. */
@Injectable()
export class SessionService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly audit: AuditTrail,
    private readonly signInNotices: SignInNotices,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Starts a session for a person whom an external identity provider has authenticated. Joins the
   * open transaction.
   * @param amr authentication methods (RFC 8176, or the kind of the provider)
   * @returns the first-party grant of the session
   * @throws {AppError} unauthenticated if the account is erased or suspended
   */
  startSession(userId: UserId, amr: readonly string[], client: Client): Promise<GrantView> {
    return this.database.transaction(async () => {
      await this.accounts.requireActiveForShare(userId);
      return this.startSessionOfLockedAccount(userId, amr, client);
    });
  }

  /**
   * Starts a session as {@link startSession} does, in a transaction that has already checked and
   * locked the account.
   */
  async startSessionOfLockedAccount(
    userId: UserId,
    amr: readonly string[],
    client: Client,
  ): Promise<GrantView> {
    const sessionId = newId() as SessionId;
    const grantId = newId();
    const { SESSION_TTL, REFRESH_IDLE_TTL } = this.settings;
    const authTime = await this.sessions.insert(sessionId, userId, amr, client, SESSION_TTL);
    await this.grants.insert(grantId, sessionId, userId, FIRST_PARTY_CLIENT, REFRESH_IDLE_TTL);
    await this.audit.record(sessionEvent('started', userId, sessionId));
    await this.signInNotices.recordSignIn(userId, client);
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

  /**
   * Locks the account and the session, so that neither ends before the open transaction does.
   * @returns false if the session has ended
   * @throws {AppError} unauthenticated if the account does not exist
   */
  async lockForShare({ userId, sessionId }: Pick<Principal, 'userId' | 'sessionId'>): Promise<boolean> {
    await this.accounts.requireForShare(userId); // a suspended account has no session that is alive
    return this.sessions.lockAliveForShare(sessionId);
  }

  /**
   * Lists the account's alive sessions, newest first.
   * @returns one more than `page.limit` if there are more
   */
  list(userId: UserId, page: Page): Promise<SessionSummary[]> {
    return this.sessions.listAlive(userId, page);
  }
}
