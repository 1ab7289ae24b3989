import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';
import { canonicalEmail, type UserId } from '../../platform/http/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AccountRepository } from './account.repository.js';
import { ProfileDirectory } from './profile-directory.js';

/** The end of an account. Whoever keeps something personal hears of it and removes it, in the same transaction. */
@Injectable()
export class ErasureService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly profiles: ProfileDirectory,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Removes everything personal, in one transaction and a follow-up for what lies outside the database. A second call changes nothing.
   * @returns whether there was something to erase
   */
  erase(id: UserId): Promise<boolean> {
    return this.database.transaction(async () => {
      const account = await this.accounts.findForUpdate(id);
      if (!account) return false;
      const emailKey = account.email === null ? null : canonicalEmail(account.email);
      await this.lifecycle.emit('account.erased', { userId: id, emailKey });
      await this.accounts.anonymize(id);
      await this.profiles.changed(id);
      await this.audit.recordOfAccount(id, 'erased');
      return true;
    });
  }
}
