import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { RecoveryCodeRepository } from '../recovery-codes/recovery-code.repository.js';

/** Removes the password of a person who signs in by passkeys. */
@Injectable()
export class PasswordRemoval {
  constructor(
    private readonly accounts: AccountService,
    private readonly passkeys: PasskeyRepository,
    private readonly recoveryCodes: RecoveryCodeRepository,
    private readonly notices: AuthenticatorNotices,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Removes the password and ends the other sessions, as a changed password does. Does nothing if
   * there is none.
   * @throws {AppError} conflict unless the person has two passkeys, or one and recovery codes, of
   *   their own: those of an organization do not sign in without its connection (ADR 49)
   */
  async remove({ userId: id, sessionId }: PersonPrincipal): Promise<void> {
    await this.accounts.underLock(id, async ({ id: userId, passwordHash }) => {
      if (passwordHash === null) return;
      const own = (await this.passkeys.list(userId)).filter(({ assuredBy }) => assuredBy === null);
      const passkeys = own.length;
      const canRecover = passkeys >= 2 || (await this.recoveryCodes.count(userId, [])) > 0;
      if (passkeys === 0 || !canRecover)
        throw new AppError('conflict', { reason: { id: 'authenticator.no-recovery' } });
      await this.accounts.removePassword(userId);
      await this.lifecycle.emit('account.password-changed', { userId, sessionId });
      await this.notices.tell(userId, 'password-removed', null);
    });
  }
}
