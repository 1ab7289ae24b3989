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
import { NO_NAME } from '../person-name.js';
import { PendingRegistrationRepository } from './pending-registration.repository.js';

/** Verifies or refuses registrations by mailed tokens (ADR 2). */
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
   * Creates the account and removes all other registrations of the address. A token proves control
   * of the mailbox, not who registered. With a password, the account is created from the
   * registration that has it. Without one, if registrations with different passwords are pending,
   * the account gets none of them, and its owner is mailed a link to choose one.
   * @param password the password of the registration, if the caller gave one
   * @throws {AppError} validation-error on `token` if it is wrong, used or expired, or was
   *   presented with too many wrong passwords
   * @throws {AppError} validation-error on `password` if no registration has it; the token can be
   *   used again
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
      if (!isOwners) await this.resets.offerFirstPassword(id, pending);
    });
  }

  /**
   * Removes the registration of the token with all of its links, so that no account is created.
   * @throws {AppError} validation-error on `token` if it is wrong, used or expired
   */
  async refuse(plainToken: string): Promise<void> {
    if (!(await this.pending.refuse(hashOneTimeToken(plainToken)))) throw invalidToken();
  }

  /**
   * Verifies the password of a pending registration. The attempt is counted after hashing, so that
   * a refusal for load does not use one up.
   * @returns the stored form of the password
   */
  private async provePassword(tokenHash: Buffer, password: string, { ipAddress }: Client): Promise<string> {
    const meant = await this.pending.find(tokenHash);
    if (!meant) throw invalidToken();
    const passwordHash = await this.hasher.hash(password, networkOf(ipAddress), meant.passwordHash);
    if (!(await this.pending.countTry(tokenHash))) throw invalidToken();
    if (await this.pending.hasPassword(meant.emailKey, passwordHash)) return passwordHash;
    throw AppError.violation('password', { id: 'registration.wrong-password' });
  }
}

/** Drops the names of a registration that may not be the owner's. */
const addressOnly = ({ email, locale }: { readonly email: string; readonly locale: string | null }) => ({
  email,
  locale,
  passwordHash: null,
  ...NO_NAME,
  company: null,
  country: null,
  marketingOptIn: false,
});

const invalidToken = (): AppError => AppError.violation('token', { id: 'registration.link-not-valid' });
