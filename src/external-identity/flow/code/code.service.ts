import { Injectable } from '@nestjs/common';
import { AccountService } from '../../../iam/index.js';
import { fitsChallenge, hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { Client } from '../../../platform/web/index.js';
import type { UserId } from '../../../kernel/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { LogoutService, SessionService, TokenIssuer, type TokenResponse } from '../../../session/index.js';
import { ExternalCodeRepository } from './code.repository.js';

/**
 * Redeems authorization codes of external sign-ins. The page that started the flow redeems the code
 * with its PKCE verifier (RFC 7636), so that no tokens appear in its address.
 */
@Injectable()
export class ExternalCodeService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly codes: ExternalCodeRepository,
    private readonly sessions: SessionService,
    private readonly logouts: LogoutService,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * Starts the session. A wrong verifier invalidates the code; reuse of a redeemed code ends the
   * session that it started.
   * @throws {AppError} validation-error on `code`
   */
  async redeem(code: string, codeVerifier: string, client: Client): Promise<TokenResponse> {
    const codeHash = hashOneTimeToken(code);
    const outcome = await this.database.transaction(async () => {
      const owner = await this.codes.findOwner(codeHash);
      if (owner === null) return null;
      await this.accounts.lockForUpdate(owner); // before the code: lock order
      const ended = await this.codes.findForUpdate(codeHash);
      if (!ended) return null;
      if (ended.consumed) return { reused: ended };
      const fits = fitsChallenge(codeVerifier, ended.codeChallenge);
      const grant = fits ? await this.sessions.startSession(ended.userId, [ended.kind], client) : null;
      await this.codes.consume(codeHash, grant?.sessionId ?? null);
      return grant;
    });
    if (outcome === null) throw invalidCode();
    if (!('reused' in outcome)) return this.tokens.issue(outcome);
    const { userId, sessionId } = outcome.reused;
    if (sessionId !== null) await this.logouts.endSessionAfterReuse({ userId, sessionId }, 'external-code');
    throw invalidCode();
  }

  @OnLifecycle('account.erased')
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.codes.deleteAllOf(userId);
  }

  /**
   * Deletes the codes not yet redeemed, so that their holders have to sign in again. Joins the open
   * transaction, which holds the lock of the account.
   */
  @OnLifecycle(
    'account.password-reset',
    'account.password-changed',
    'account.signed-out',
    'account.suspended',
  )
  async withdraw({ userId }: { userId: UserId }): Promise<void> {
    await this.codes.deleteUnspentOf(userId);
  }
}

const invalidCode = (): AppError =>
  AppError.violation('code', 'The code is invalid, used or expired. Start the sign-in again.');
