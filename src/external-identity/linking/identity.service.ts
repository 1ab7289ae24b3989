import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import type { LifecycleEvents, UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Page } from '../../platform/api/index.js';
import { AccountCodeRepository } from '../../session/index.js';
import { IdentityRepository, type ListedIdentity } from './identity.repository.js';
import { LinkMails } from './link-mails.js';
import { ProviderGrants } from './provider-grants.js';

/** Lists and unlinks external identities. */
@Injectable()
export class IdentityService {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly codes: AccountCodeRepository,
    private readonly accounts: AccountService,
    private readonly mails: LinkMails,
    private readonly audit: AuditTrail,
    private readonly grants: ProviderGrants,
  ) {}

  list(userId: UserId, page: Page): Promise<ListedIdentity[]> {
    return this.identities.listOf(userId, page);
  }

  /** Removes the identities that a session has linked. */
  @OnLifecycle('session.traces-ended')
  async unlinkOfSession({ userId, sessionId }: LifecycleEvents['session.traces-ended']): Promise<void> {
    for (const id of await this.identities.listLinkedIn(userId, sessionId)) await this.unlink(userId, id);
  }

  /**
   * Removes an identity with what waits for it: its grant at the provider, sign-ins and link codes.
   */
  async unlink(userId: UserId, id: string): Promise<void> {
    const { email, locale } = await this.accounts.requireForShare(userId);
    const removed = await this.identities.delete(userId, id);
    if (!removed) return;
    await this.grants.revokeOf(userId, [removed]);
    await this.codes.withdraw({ userId });
    await this.audit.recordForAccount(userId, 'identity-unlinked');
    if (email !== null) await this.mails.unlinked({ email, locale }, removed.kind);
  }
}
