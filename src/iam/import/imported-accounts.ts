import { Injectable } from '@nestjs/common';
import type { UserId } from '../../kernel/index.js';
import { AccountMails } from '../accounts/account-mails.js';
import { PendingRegistrationRepository } from '../accounts/registration/pending-registration.repository.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Candidate } from './import-batch.js';
import { ImportRepository } from './import.repository.js';

/** Inserts the accounts of an import. */
@Injectable()
export class ImportedAccounts {
  constructor(
    private readonly imports: ImportRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly mails: AccountMails,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Inserts accounts in the open transaction. Pending registrations of their addresses are removed
   * with their mails: they may be an attacker's.
   * @param judge gets the addresses that had any
   * @returns the ids of those that were inserted
   */
  async insert(
    candidates: readonly Candidate[],
    judge: (registered: ReadonlySet<string>) => void = () => undefined,
  ): Promise<ReadonlySet<string>> {
    if (candidates.length === 0) return new Set();
    const accounts = candidates.map(({ account }) => account);
    // Lock order: registrations before the account, as in their verification.
    const registered = new Set(
      await this.pending.deleteByEmailKeys(accounts.map(({ emailKey }) => emailKey)),
    );
    judge(registered);
    const inserted = await this.imports.insert(accounts);
    const created = accounts.filter(({ id }) => inserted.has(id));
    for (const { email, emailKey } of created)
      if (registered.has(emailKey)) await this.mails.forgetRegistrations(email);
    const event = ({ id }: { readonly id: UserId }) => ({
      actorId: id,
      action: 'account.created',
      subject: `iam/accounts/${id}`,
      concerns: [], // a new account is in no organization yet
    });
    await this.audit.record(...created.map(event));
    return inserted;
  }
}
