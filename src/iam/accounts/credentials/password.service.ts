import { Injectable } from '@nestjs/common';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { Client } from '../../../platform/web/index.js';
import { canonicalEmail, type PersonPrincipal } from '../../../kernel/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AccountRepository } from '../account.repository.js';
import { CredentialService, WRONG_PASSWORD } from './credential.service.js';
import { PasswordResetRepository } from './password-reset.repository.js';
import { PasswordWriter } from './password-writer.js';

/** Changes passwords, for people who know the current one (PW-2) or have a mailed link (PW-6). */
@Injectable()
export class PasswordService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly credentials: CredentialService,
    private readonly passwordWriter: PasswordWriter,
    private readonly resets: PasswordResetRepository,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Changes the password of the caller and ends their other sessions (SES-5).
   * @throws {AppError} validation-error on `currentPassword` if it is wrong; unauthenticated if the
   *   account is erased or suspended
   */
  async change(
    { userId, sessionId }: PersonPrincipal,
    currentPassword: string,
    newPassword: string,
    client: Client,
  ): Promise<void> {
    const account = await this.accounts.findActive(userId);
    if (!account) throw new AppError('unauthenticated');
    const { email } = account;
    if (email === null) throw wrongCurrentPassword(); // an account without an address has no password
    const proven = await this.credentials.prove(email, currentPassword, client).catch((error: unknown) => {
      const wrong = error instanceof AppError && WRONG_PASSWORD.has(error.code);
      if (wrong) throw wrongCurrentPassword();
      throw error;
    });
    const passwordHash = await this.passwordWriter.hash(account, newPassword, client);
    await this.database.transaction(async () => {
      const held = await this.accounts.findActiveForUpdate(userId);
      if (!held) throw new AppError('unauthenticated');
      if (held.passwordVersion !== proven.passwordVersion) throw wrongCurrentPassword();
      await this.passwordWriter.store({ ...held, email }, passwordHash, 'password-changed');
      await this.lifecycle.emit('account.password-changed', { userId: held.id, sessionId });
    });
  }

  /**
   * Sets a new password by a mailed token, ends all sessions and tells the owner.
   * @throws {AppError} validation-error on `token` if it is wrong, used or expired
   */
  async reset(plainToken: string, newPassword: string, client: Client): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    // Checked before hashing, so that a wrong token costs no hash, and atomically below.
    const owner = await this.resets.findAccountId(tokenHash);
    const before = owner && (await this.accounts.findActive(owner));
    if (!before) throw invalidToken();
    const passwordHash = await this.passwordWriter.hash(before, newPassword, client);
    await this.database.transaction(async () => {
      const userId = await this.resets.findAccountId(tokenHash);
      const account = userId && (await this.accounts.findActiveForUpdate(userId));
      if (!account || account.email === null) throw invalidToken();
      if (!(await this.resets.consume(tokenHash))) throw invalidToken();
      const { email } = account;
      await this.passwordWriter.store({ ...account, email }, passwordHash, 'password-reset');
      await this.lifecycle.emit('account.password-reset', {
        userId: account.id,
        emailKey: canonicalEmail(email),
      });
    });
  }
}

const wrongCurrentPassword = (): AppError =>
  AppError.violation('currentPassword', { id: 'password.current-wrong' });

const invalidToken = (): AppError => AppError.violation('token', { id: 'password.link-not-valid' });
