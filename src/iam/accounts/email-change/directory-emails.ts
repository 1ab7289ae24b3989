import { Injectable } from '@nestjs/common';
import { canonicalEmail, type UserId } from '../../../kernel/index.js';
import { AccountRepository } from '../account.repository.js';
import { EmailConfirmation } from './email-confirmation.js';
import { EmailReplacement } from './email-replacement.js';
import type { ChangingDirectory } from './email-writer.js';
import { ManagedAccountRepository } from './managed-account.repository.js';

/** Changes addresses as directories send them. */
@Injectable()
export class DirectoryEmails {
  constructor(
    private readonly accounts: AccountRepository,
    private readonly managed: ManagedAccountRepository,
    private readonly confirmation: EmailConfirmation,
    private readonly replacement: EmailReplacement,
  ) {}

  /**
   * Gives an account that a directory made the address that it sent, if no other account has it: a
   * managed one, or one without an address that the organization has to itself. Joins the open
   * transaction, and locks the accounts in order of id.
   * @throws a unique violation if a concurrent request gives another account the address
   */
  async change(userId: UserId, email: string, directory: ChangingDirectory): Promise<void> {
    const emailKey = canonicalEmail(email);
    const { own, holder } = await this.accounts.findWithHolderForUpdate(userId, emailKey);
    if (!own || holder || (own.email !== null && canonicalEmail(own.email) === emailKey)) return;
    const mayChange =
      own.email === null
        ? await this.managed.isOfTenantAlone(userId, directory.tenantId)
        : await this.managed.isManaged(userId);
    if (!mayChange) return;
    await this.confirmation.cancel({ userId });
    await this.replacement.replaceByDirectory(own, email, directory);
  }
}
