import { Injectable } from '@nestjs/common';
import { canonicalEmail, type TenantId, type UserId } from '../../../kernel/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountMails } from '../account-mails.js';
import { AccountRepository, type LockedAccount } from '../account.repository.js';
import { ProfileDirectory } from '../profile/profile-directory.js';
import { PendingRegistrationRepository } from '../registration/pending-registration.repository.js';

/** A directory that changes an address, of its organization. */
export interface ChangingDirectory {
  readonly tenantId: TenantId;
  readonly directoryId: string;
}

/** Stores the address of an account, whether it is changed or restored. */
@Injectable()
export class EmailWriter {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly profiles: ProfileDirectory,
    private readonly mails: AccountMails,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Stores an address that its owner has proven. Pending registrations of it are removed with their
   * passwords and mails: they may be an attacker's.
   * @throws a unique violation if another account has the address
   */
  store(account: LockedAccount, email: string, what: 'email-changed' | 'email-restored'): Promise<void> {
    return this.write(account, email, () => this.audit.recordForAccount(account.id, what));
  }

  /**
   * Stores an address as {@link store}. The trail of the organization, and the event, name the
   * directory as the actor; that of the person says that it was a directory.
   */
  storeByDirectory(
    account: LockedAccount,
    email: string,
    { tenantId, directoryId }: ChangingDirectory,
  ): Promise<void> {
    const subject = `iam/accounts/${account.id}`;
    return this.write(account, email, () =>
      this.audit.record(
        { actorId: account.id, action: 'account.email-changed-by-directory', subject },
        { actorId: directoryId as UserId, tenantId, action: 'directory.email-changed', subject },
      ),
    );
  }

  private async write(account: LockedAccount, email: string, record: () => Promise<void>): Promise<void> {
    const emailKey = canonicalEmail(email);
    // Before the address is stored, as in a verification, to avoid deadlocks.
    await this.pending.deleteByEmailKey(emailKey);
    await this.accounts.setEmail(account.id, email, emailKey);
    await this.mails.forgetRegistrations(email);
    await record();
    const formerEmailKey = account.email === null ? null : canonicalEmail(account.email);
    await this.lifecycle.emit('account.email-changed', { userId: account.id, formerEmailKey });
    await this.profiles.announceChange(account.id);
  }
}
