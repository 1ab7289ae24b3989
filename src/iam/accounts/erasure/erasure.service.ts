import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { canonicalEmail, type UserId } from '../../../kernel/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { TenantRepository } from '../../organizations/tenants/tenant.repository.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountRepository, type Account } from '../account.repository.js';
import { MailErasure } from './mail-erasure.js';

/**
 * Erases accounts. Each module with personal data subscribes to `account.erased` and removes its
 * data in the same transaction.
 */
@Injectable()
export class ErasureService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
    private readonly mails: MailErasure,
    private readonly tenants: TenantRepository,
  ) {}

  /**
   * Removes all personal data of an account and tells its owner: in one transaction, and in a job
   * for what is outside the database. A second call changes nothing.
   */
  async erase(id: UserId): Promise<void> {
    await this.database.transaction(async () => {
      const erased = await this.eraseLocked(id);
      if (!erased || erased.email === null) return;
      const { email, locale } = erased;
      await this.mails.tellOwner({ email, locale }, id);
    });
  }

  /**
   * Erases an account that exists again after a backup was restored. Its owner was told at the
   * first erasure.
   * @returns whether the account existed
   */
  eraseAgain(id: UserId): Promise<boolean> {
    return this.database.transaction(async () => (await this.eraseLocked(id)) !== null);
  }

  /** @returns the account as it was; null if it does not exist */
  private async eraseLocked(id: UserId): Promise<Account | null> {
    const account = await this.accounts.findForUpdate(id);
    if (!account) return null;
    const emailKey = account.email === null ? null : canonicalEmail(account.email);
    const tenantIds = await this.tenants.findIdsOf(id); // the listeners end the memberships
    await this.lifecycle.emit('account.erasing', { userId: id });
    await this.lifecycle.emit('account.erased', { userId: account.id, emailKey, tenantIds });
    await this.accounts.anonymize(id);
    await this.audit.recordForAccount(id, 'erased', { concerns: tenantIds });
    return account;
  }
}
