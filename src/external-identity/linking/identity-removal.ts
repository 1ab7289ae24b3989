import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import { domainOf, type LifecycleEvents, type Locked, type UserId } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { IdentityRepository } from './identity.repository.js';
import { LinkMails } from './link-mails.js';
import { ProviderGrants } from './provider-grants.js';

/** Removes identities with what made them trustworthy: account, password, address, membership. */
@Injectable()
export class IdentityRemoval {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
    private readonly providers: ProviderRegistry,
    private readonly grants: ProviderGrants,
    private readonly mails: LinkMails,
    private readonly audit: AuditTrail,
  ) {}

  @OnLifecycle('account.erased')
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.identities.deleteAll(userId);
  }

  /**
   * Removes identities that a previous holder of the password may have linked. Keeps identities
   * whose provider is the authority for the account's address now, and named it at the last use.
   */
  @OnLifecycle('account.password-reset')
  async removeWithoutAuthority({ userId }: { userId: Locked<UserId> }): Promise<void> {
    const { email, locale } = await this.accounts.requireForShare(userId);
    const domain = email === null ? null : domainOf(email);
    const authorities = domain === null ? [] : this.providers.authoritiesFor(domain);
    const removed = await this.identities.deleteWithoutAuthority(userId, domain, authorities);
    if (removed.length === 0) return;
    await this.grants.revokeOf(userId, removed);
    await this.recordUnlinked(userId, removed.length);
    const kinds = removed.map(({ kind }) => kind);
    if (email !== null) await this.mails.removed({ email, locale }, kinds);
  }

  /**
   * Forgets which providers are the authority for the address: they were for the former one. The
   * next sign-in by one of them finds out again.
   */
  @OnLifecycle('account.email-changed')
  async forgetAuthority({ userId }: { userId: Locked<UserId> }): Promise<void> {
    await this.identities.removeAuthority(userId);
  }

  /**
   * Removes the identities of an organization's connections once the person is no member of it. To
   * sign in by it again, a person who has another sign-in method proves the account.
   */
  @OnLifecycle('memberships.ended')
  async removeOfLeft({ userId, tenantIds }: LifecycleEvents['memberships.ended']): Promise<void> {
    const removed = await this.identities.deleteOfTenants(userId, tenantIds);
    if (removed > 0) await this.recordUnlinked(userId, removed);
  }

  private async recordUnlinked(userId: UserId, count: number): Promise<void> {
    const event = { actorId: userId, action: 'account.identity-unlinked', subject: `iam/accounts/${userId}` };
    await this.audit.record(...Array.from({ length: count }, () => event));
  }
}
