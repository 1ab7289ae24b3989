import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { canonicalEmail, type UserId } from '../../../kernel/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountRepository, type Account } from '../account.repository.js';
import { MailErasure } from './mail-erasure.js';
import { ProfileDirectory } from '../profile/profile-directory.js';

/** The end of an account. Whoever keeps something personal hears of it and removes it, in the same transaction. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly profiles: ProfileDirectory,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
    private readonly mails: MailErasure,
  ) {}

  /**
   * Removes everything personal, in one transaction and a follow-up for what lies outside the database, and tells the owner. A second call
   * changes nothing.
   */
  async erase(id: UserId): Promise<void> {
    await this.database.transaction(async () => {
      const erased = await this.eraseLocked(id);
      if (erased && erased.email !== null) await this.mails.tellOwner(erased.email, id);
    });
  }

  /**
   * Erases an account that a restored backup has brought back. Its owner was told when they erased it.
   * @returns whether there was something to erase
   */
  eraseAgain(id: UserId): Promise<boolean> {
    return this.database.transaction(async () => (await this.eraseLocked(id)) !== null);
  }

  /** @returns the account as it was; null where there is none */
  private async eraseLocked(id: UserId): Promise<Account | null> {
    const account = await this.accounts.findForUpdate(id);
    if (!account) return null;
    const emailKey = account.email === null ? null : canonicalEmail(account.email);
    await this.lifecycle.emit('account.erased', { userId: id, emailKey });
    await this.accounts.anonymize(id);
    await this.profiles.announceChange(id);
    await this.audit.recordForAccount(id, 'erased');
    return account;
  }
}
