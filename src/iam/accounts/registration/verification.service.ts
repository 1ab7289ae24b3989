import { Injectable } from '@nestjs/common';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { newId, type UserId } from '../../../kernel/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountRepository } from '../account.repository.js';
import { PasswordHasher } from '../credentials/password-hasher.js';
import { PasswordResetService } from '../credentials/password-reset.service.js';
import { PendingRegistrationRepository } from './pending-registration.repository.js';

/** Turns a registration into an account, or refuses it, by a mailed token. */
@Injectable()
export class VerificationService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly hasher: PasswordHasher,
    private readonly resets: PasswordResetService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates the account; every other registration of the address is void. A token proves the mailbox and not who registered:
   * with a password, the registration counts that has it. Without one, and where different passwords wait, the account gets
   * none of them, and its owner is mailed a link to choose one.
   * @throws {AppError} validation-error on `token` when it is wrong, used or expired, or has been shown with too many passwords
   * @throws {AppError} validation-error on `password` when no registration has it; the token can be used again
   */
  async verify(plainToken: string, password: string | undefined, client: Client): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    const proven = password === undefined ? null : await this.provePassword(tokenHash, password, client);
    await this.database.transaction(async () => {
      const taken = await this.pending.consume(tokenHash, proven);
      if (!taken) throw invalidToken();
      const { pending, passwords } = taken;
      const isOwners = proven !== null || passwords === 1;
      const id = newId() as UserId;
      const inserted = await this.accounts.insertVerified(
        id,
        pending.emailKey,
        isOwners ? pending : addressOnly(pending),
      );
      if (!inserted) throw invalidToken();
      await this.audit.recordForAccount(id, 'created');
      if (!isOwners) await this.resets.offerFirstPassword(id, pending.email);
    });
  }

  /**
   * Removes the registration of the token with all of its links: no account comes of it.
   * @throws {AppError} validation-error on `token` when it is wrong, used or expired
   */
  async refuse(plainToken: string): Promise<void> {
    if (!(await this.pending.refuse(hashOneTimeToken(plainToken)))) throw invalidToken();
  }

  /** Returns the stored form of the password. The try is counted after hashing, so that a busy service costs none. */
  private async provePassword(tokenHash: Buffer, password: string, { ipAddress }: Client): Promise<string> {
    const meant = await this.pending.find(tokenHash);
    if (!meant) throw invalidToken();
    const passwordHash = await this.hasher.hash(password, networkOf(ipAddress), meant.passwordHash);
    if (!(await this.pending.countTry(tokenHash))) throw invalidToken();
    if (await this.pending.hasPassword(meant.emailKey, passwordHash)) return passwordHash;
    throw AppError.violation(
      'password',
      'No registration of this address has this password. Enter the one that you registered with.',
    );
  }
}

/** The names in a registration count only where it is known to be the owner's. */
const addressOnly = ({ email }: { readonly email: string }) => ({
  email,
  passwordHash: null,
  firstName: null,
  company: null,
  country: null,
  marketingOptIn: false,
});

const invalidToken = (): AppError =>
  AppError.violation('token', 'The link is not valid any more. Ask for a new one with resend-verification.');
