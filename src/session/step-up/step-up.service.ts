import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail, CredentialService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import type { Principal } from '../../kernel/index.js';
import { GrantRepository, type GrantView } from '../grants/grant.repository.js';
import { sessionEvent } from '../sessions/session-event.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TenantTokenResponse } from '../tokens/token.response.js';

/** Confirms the person in the current session (RFC 9470, ADR 22). */
@Injectable()
export class StepUpService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly credentials: CredentialService,
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns the step-up methods of the caller; none for people who sign in by external providers
   * only.
   */
  getMethods({ userId }: Principal): Promise<readonly string[]> {
    return this.credentials.findMethods(userId);
  }

  /**
   * Confirms the person by password. Later refreshes keep the new `auth_time`.
   * @returns an access token with a new `auth_time`
   * @throws {AppError} invalid-credentials; validation-error on `method` if the account has no
   *   password; unauthenticated if the session has ended
   */
  async confirmByPassword(
    principal: Principal,
    password: string,
    client: Client,
  ): Promise<TenantTokenResponse> {
    const proven = await this.credentials.proveOwn(principal.userId, password, client);
    const grant = await this.database.transaction(async () => {
      // Locked before the session, as at login. A password that has been changed since it was
      // verified confirms nothing.
      await this.accounts.requireUnchangedForShare(proven.userId, proven.passwordVersion);
      return this.confirm(principal, 'pwd');
    });
    const { refreshToken: _, ...tokens } = await this.tokens.issue(grant, principal.tenantId);
    return tokens;
  }

  /** Records the confirmation. Joins the open transaction, which has locked the account. */
  private async confirm({ userId, sessionId, grantId }: Principal, method: string): Promise<GrantView> {
    const confirmed = await this.sessions.confirm(sessionId, userId, method);
    const grant = confirmed ? await this.grants.findAlive(grantId) : null;
    if (!grant) throw new AppError('unauthenticated');
    await this.audit.record(sessionEvent('confirmed', userId, sessionId));
    return grant;
  }
}
