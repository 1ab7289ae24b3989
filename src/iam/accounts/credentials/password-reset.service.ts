import { Injectable } from '@nestjs/common';
import { createOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { canonicalEmail, LOCK, newId, type UserId } from '../../../kernel/index.js';
import type { Client } from '../../../platform/web/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import {
  AccountMails,
  type MailRequest,
  RANDOM_DELAY,
  type Recipient,
  RESET_LIFETIME_SECONDS,
} from '../account-mails.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountRepository } from '../account.repository.js';
import { PasswordResetRepository } from './password-reset.repository.js';

const REQUEST_PASSWORD_RESET = 'iam.request-password-reset';

/** Mails links by which people choose a new password (PW-6). */
@Injectable()
export class PasswordResetService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly resets: PasswordResetRepository,
    private readonly mails: AccountMails,
    private readonly jobs: JobQueue,
    private readonly audit: AuditTrail,
  ) {}

  /** Queues a reset mail. Does not tell whether the address has an account (API-13). */
  async requestReset(email: string, { ipAddress, locale }: Client): Promise<void> {
    const network = this.mails.networkKey(email, ipAddress).toString('hex');
    await this.jobs.add(REQUEST_PASSWORD_RESET, { email, network, locale }, RANDOM_DELAY);
  }

  /**
   * Sends a reset mail. Runs the same statements, without effect, for an address without an account
   * and for a suspended account (ADR 23).
   * @param job the requested address, the key of the network that asked, in hexadecimal, and the
   *   language that the request asked for
   */
  @JobHandler({ task: REQUEST_PASSWORD_RESET })
  async sendResetMail({ email, network, locale = null }: MailRequest): Promise<void> {
    const networkKey = network === undefined ? null : Buffer.from(network, 'hex');
    await this.database.transaction(async () => {
      const account = await this.accounts.findByEmailKeyForShare(canonicalEmail(email));
      const recipient = account?.suspendedAt === null ? account : null;
      const { plainToken, tokenHash } = createOneTimeToken();
      const to = { email: recipient?.email ?? email, locale: recipient?.locale ?? locale };
      const isSent = await this.mails.sendPasswordReset(to, plainToken, networkKey, recipient === null);
      const nonexistent = newId() as UserId;
      const owner = isSent && recipient ? recipient.id : nonexistent;
      await this.resets.replace(owner, tokenHash, RESET_LIFETIME_SECONDS);
    });
  }

  /** Mails the owner of a new account a link to choose a password. Joins the open transaction. */
  async offerFirstPassword(id: UserId, recipient: Recipient): Promise<void> {
    await this.mails.sendChoosePassword(recipient, await this.createToken(id));
  }

  /**
   * Sends a reset mail for an operator, as the person could ask for it.
   * @throws {AppError} not-found if the account is erased; conflict if it has no address, is
   *   suspended, or its address has received too many of these mails
   */
  async sendFor(id: UserId): Promise<void> {
    await this.database.transaction(async () => {
      const { email, locale } = await this.requireRecipient(id);
      const plainToken = await this.createToken(id);
      requireSent(await this.mails.sendPasswordReset({ email, locale }, plainToken, null, false));
    });
  }

  /**
   * Removes the password of an account and mails the owner a link to choose a new one. Joins the
   * open transaction, which also ends the sessions.
   * @throws {AppError} as {@link sendFor}
   */
  async requireNewPassword(id: UserId): Promise<void> {
    const { email, locale } = await this.requireRecipient(id);
    await this.accounts.removePassword(id);
    await this.audit.recordForAccount(id, 'password-removed');
    requireSent(await this.mails.sendNewPasswordRequired({ email, locale }, await this.createToken(id)));
  }

  private async requireRecipient(id: UserId): Promise<Recipient> {
    const account = (await this.accounts.findForUpdate(id)) ?? AppError.notFound();
    const { email, locale, suspendedAt } = account;
    if (email === null || suspendedAt !== null)
      throw new AppError('conflict', { reason: { id: 'password.no-recipient' } });
    return { email, locale };
  }

  /**
   * Creates the token of a link to set a password, in place of an earlier one. Joins the open
   * transaction.
   */
  async createToken(id: UserId): Promise<string> {
    const { plainToken, tokenHash } = createOneTimeToken();
    await this.resets.replace(id, tokenHash, RESET_LIFETIME_SECONDS);
    return plainToken;
  }

  /** Returns until when the mailed link of an account is valid; null without a valid one. */
  findExpiry(id: UserId): Promise<Date | null> {
    return this.resets.findExpiryOf(id);
  }

  /**
   * Makes the mailed link of an account invalid. Joins the open transaction, which has locked the
   * account.
   * @throws {AppError} not-found without a valid link
   */
  async cancel(id: UserId): Promise<void> {
    if ((await this.resets.findExpiryOf(id)) === null) throw new AppError('not-found');
    await this.resets.deleteOf(id);
  }

  /** Makes mailed links invalid when credentials change or the account is suspended or erased. */
  @OnLifecycle(
    'account.password-reset',
    'account.password-changed',
    'account.email-changed',
    'account.suspended',
    'account.erased',
    { order: LOCK.accounts },
  )
  async deleteTokens({ userId }: { userId: UserId }): Promise<void> {
    await this.resets.deleteOf(userId);
  }
}

function requireSent(isSent: boolean): void {
  if (!isSent) throw new AppError('conflict', { reason: { id: 'password.too-many-mails' } });
}
