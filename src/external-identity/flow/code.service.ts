import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { fitsChallenge, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import type { UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { LogoutService, SessionService, TokenIssuer, type TokenResponse } from '../../session/index.js';
import { ExternalCodeRepository } from './code.repository.js';

/**
 * The code form: the returning page redeems a code, with the verifier that never left it, in place
 * of finding tokens in its address.
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
   * Begins the session. A wrong verifier burns the code; a second presentation of a used one ends
   * the session that it gave.
   * @throws {AppError} validation-error on `code`
   */
  async redeem(code: string, codeVerifier: string, client: Client): Promise<TokenResponse> {
    const codeHash = hashOneTimeToken(code);
    const outcome = await this.database.transaction(async () => {
      const owner = await this.codes.findOwner(codeHash);
      if (owner === null) return null;
      await this.accounts.lockForUpdate(owner); // before the code, as does whatever takes the code away
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
   * Takes back the codes that nobody has redeemed yet: whoever has one proves themselves anew.
   * Joins the open transaction, which holds the account.
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
  AppError.violation('code', 'The code is not valid, or not any more. Start the sign-in again.');
