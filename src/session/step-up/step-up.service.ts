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

/** Confirms who the caller is, in the session that they are in (RFC 9470, ADR 22). */
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

  /** By which methods the caller can confirm; none for who signs in by external providers alone. */
  methodsOf({ userId }: Principal): Promise<readonly string[]> {
    return this.credentials.listOf(userId);
  }

  /**
   * Confirms by password. The access token has a new `auth_time`, which later refreshes keep.
   * @throws {AppError} invalid-credentials; validation-error on `method` where there is no password; unauthenticated where the session has ended
   */
  async byPassword(principal: Principal, password: string, client: Client): Promise<TenantTokenResponse> {
    const proven = await this.credentials.proveOwn(principal.userId, password, client);
    const grant = await this.database.transaction(async () => {
      // Held before the session, as by login: a password that was changed meanwhile confirms nothing.
      await this.accounts.requireUnchanged(proven.userId, proven.passwordVersion);
      return this.confirm(principal, 'pwd');
    });
    const { refreshToken: _, ...tokens } = await this.tokens.issue(grant, principal.tenantId);
    return tokens;
  }

  /** Joins the open transaction, which holds the account. */
  private async confirm({ userId, sessionId, grantId }: Principal, method: string): Promise<GrantView> {
    const confirmed = await this.sessions.confirm(sessionId, userId, method);
    const grant = confirmed ? await this.grants.findAlive(grantId) : null;
    if (!grant) throw new AppError('unauthenticated');
    await this.audit.record(sessionEvent('confirmed', userId, sessionId));
    return grant;
  }
}
