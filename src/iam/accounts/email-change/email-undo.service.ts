import { Injectable } from '@nestjs/common';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database, isUniqueViolation } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AccountRepository } from '../account.repository.js';
import { PasswordResetService } from '../credentials/password-reset.service.js';
import { UNDO_LIFETIME_SECONDS } from './email-change-mails.js';
import { EmailReplacement } from './email-replacement.js';
import { ManagedAccountRepository } from './managed-account.repository.js';

const DAY_MS = 86_400_000;

/**
 * Restores former addresses by a link that was mailed to them. The change may have been an
 * attacker's, so everything that an attacker could have set up with it ends as at a password reset.
 */
@Injectable()
export class EmailUndoService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly managed: ManagedAccountRepository,
    private readonly replacement: EmailReplacement,
    private readonly resets: PasswordResetService,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Restores the address, ends all sessions, removes the password and mails a link to choose a new
   * one. A changed password does not void the link: an attacker would change it.
   * @throws {AppError} validation-error on `token` if it is wrong, used or expired, or if by now
   *   another account has the address or a directory manages that of this one
   */
  async undo(plainToken: string): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    await this.database
      .transaction(async () => {
        const former = await this.replacement.findFormer(tokenHash);
        if (!former) throw invalidToken();
        const { userId, email, emailKey, expiresAt } = former;
        const { own, holder } = await this.accounts.findActiveWithHolderForUpdate(userId, emailKey);
        if (!own || holder || (await this.managed.isManaged(userId))) throw invalidToken();
        if (!(await this.replacement.restore(own, former, tokenHash))) throw invalidToken();
        await this.accounts.removePassword(own.id);
        await this.lifecycle.emit('account.password-reset', { userId: own.id, emailKey });
        const suspectSince = new Date(expiresAt.getTime() - UNDO_LIFETIME_SECONDS * 1_000 - DAY_MS);
        await this.lifecycle.emit('account.email-restored', { userId: own.id, suspectSince });
        const resetToken = await this.resets.createToken(userId);
        await this.replacement.tellRestored({ email, locale: own.locale }, resetToken);
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? invalidToken() : error;
      });
  }
}

const invalidToken = (): AppError => AppError.violation('token', { id: 'email-change.undo-not-valid' });
