import { Injectable } from '@nestjs/common';
import { canonicalEmail, type UserId } from '../../../kernel/index.js';
import { DailyBudgets } from '../../../platform/budgets/index.js';
import { createOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { Client } from '../../../platform/web/index.js';
import { AccountRepository } from '../account.repository.js';
import { CONFIRMATION_LIFETIME_SECONDS } from './email-change-mails.js';
import { type ChangeRequest, EmailChangeRepository, type PendingChange } from './email-change.repository.js';
import { EmailConfirmation } from './email-confirmation.js';
import { ManagedAccountRepository } from './managed-account.repository.js';

/** Changes that a person can ask for in a day: each mails an address of their choice. */
const MAX_REQUESTS_PER_DAY = 20;

/**
 * Requests changes of addresses, by a link mailed to the new one (PW-7). The request does the same
 * work for a free and a taken address; {@link EmailConfirmation} then reads whether the address has
 * an account (API-13, ADR 23).
 */
@Injectable()
export class EmailChangeService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly changes: EmailChangeRepository,
    private readonly confirmation: EmailConfirmation,
    private readonly budgets: DailyBudgets,
    private readonly managed: ManagedAccountRepository,
  ) {}

  /** Returns whether a directory manages the address, so that its person cannot change it. */
  isManaged(userId: UserId): Promise<boolean> {
    return this.managed.isManaged(userId);
  }

  /** Finds the change that waits for its confirmation. */
  findPending(userId: UserId): Promise<PendingChange | null> {
    return this.changes.findOf(userId);
  }

  /**
   * Voids the change that waits, for its person.
   * @throws {AppError} not-found if none waits
   */
  cancelPending(userId: UserId): Promise<void> {
    return this.database.transaction(async () => {
      await this.accounts.findForUpdate(userId);
      if (!(await this.changes.findOf(userId))) throw new AppError('not-found');
      await this.confirmation.cancel({ userId });
    });
  }

  /**
   * Stores a change in place of an earlier one, and queues its mail. It ends with the session of
   * the person, or counts while the member who requests it could do so again. Does not
   * tell whether another account has the address.
   * @throws {AppError} validation-error on `email` if it is the caller's address; conflict if a
   *   directory manages the address; too-many-requests beyond {@link MAX_REQUESTS_PER_DAY};
   *   unauthenticated if the account is erased or suspended
   */
  async request(
    { userId, sessionId, requestedBy, requestedIn }: ChangeRequest,
    email: string,
    { ipAddress }: Client,
  ): Promise<void> {
    const emailKey = canonicalEmail(email);
    const { plainToken, tokenHash } = createOneTimeToken();
    await this.database.transaction(async () => {
      const account = await this.accounts.findActiveForShare(userId);
      if (!account) throw new AppError('unauthenticated');
      if (await this.isManaged(userId))
        throw new AppError('conflict', { reason: { id: 'email-change.managed' } });
      if (account.email !== null && canonicalEmail(account.email) === emailKey)
        throw AppError.violation('email', { id: 'email-change.own-address' });
      if (!(await this.budgets.take('address-changes', userId, MAX_REQUESTS_PER_DAY)))
        throw new AppError('too-many-requests', {
          reason: { id: 'email-change.too-many', values: { max: MAX_REQUESTS_PER_DAY } },
          retryAfterSeconds: this.budgets.secondsUntilTomorrow(),
        });
      const change = { userId, sessionId, requestedBy, requestedIn, email, emailKey };
      await this.changes.replace(tokenHash, change, CONFIRMATION_LIFETIME_SECONDS);
      await this.confirmation.queue(plainToken, email, ipAddress);
    });
  }
}
