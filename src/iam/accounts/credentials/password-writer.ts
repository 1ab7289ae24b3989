import { Injectable } from '@nestjs/common';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountMails } from '../account-mails.js';
import { type Account, AccountRepository, type LockedAccount } from '../account.repository.js';
import { PasswordBlocklist } from './password-blocklist.js';
import { PasswordHasher } from './password-hasher.js';

/** Hashes and stores new passwords, whether they come from a reset or a change. */
@Injectable()
export class PasswordWriter {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly hasher: PasswordHasher,
    private readonly blocklist: PasswordBlocklist,
    private readonly audit: AuditTrail,
    private readonly mails: AccountMails,
  ) {}

  /**
   * Hashes a new password. The account's salt is kept, because registrations of the address share
   * it, unless cost or pepper have changed since.
   * @returns the stored form
   * @throws {AppError} validation-error on `newPassword` if it is refused by the blocklist
   */
  async hash(account: Account, newPassword: string, client: Client): Promise<string> {
    this.blocklist.requireAllowed(newPassword, 'newPassword', account);
    const { passwordHash } = account;
    const like = this.hasher.isOutdated(passwordHash) ? null : passwordHash;
    return this.hasher.hash(newPassword, networkOf(client.ipAddress), like);
  }

  /**
   * Stores a new password, records it in the audit trail and mails the owner.
   */
  async store(
    account: LockedAccount & { readonly email: string },
    passwordHash: string,
    what: 'password-reset' | 'password-changed',
  ): Promise<void> {
    await this.accounts.setPassword(account.id, passwordHash);
    await this.audit.recordForAccount(account.id, what);
    await this.mails.sendPasswordChanged(account);
  }
}
