import { Inject, Injectable } from '@nestjs/common';
import { AccountService, type MailRequest, RANDOM_DELAY } from '../../iam/index.js';
import { canonicalEmail, type LifecycleEvents, LOCK, type Locked, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { MailLink, type SentLink } from '../../platform/mail/index.js';
import type { Client } from '../../platform/web/index.js';
import { EmailCodeMails } from './email-code-mails.js';
import { type CodeSubject, createEmailCode, EmailCodeRepository } from './email-code.repository.js';

const SEND_CODE = 'session.email-code';

type SignInMail = MailRequest & { readonly network: string };

/**
 * Codes that are mailed to sign in, with EMAIL_SIGN_IN. An address without an account has the same
 * work done: a code that is not mailed is stored for it, so that tries of it count alike (ADR 35).
 */
@Injectable()
export class EmailSignInCodes {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly codes: EmailCodeRepository,
    private readonly mails: EmailCodeMails,
    private readonly jobs: JobQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Queues the mail with a code. Does not tell whether the address has an account.
   * @throws {AppError} not-found without EMAIL_SIGN_IN
   */
  async request(email: string, { ipAddress, locale }: Client): Promise<void> {
    this.requireEnabled();
    const network = this.mails.networkKey(email, ipAddress).toString('hex');
    const mail: SignInMail = { email, network, locale };
    await this.jobs.add(SEND_CODE, mail, RANDOM_DELAY);
  }

  /**
   * Mails a code in place of an earlier one. Runs the same statements, and mails nothing, for an
   * address without an account and for a suspended account. A mail that the budget of the address
   * withholds leaves the earlier code valid.
   */
  @JobHandler({ task: SEND_CODE })
  async send({ email, network, locale = null }: SignInMail): Promise<void> {
    await this.database.transaction(async () => {
      const account = await this.accounts.findByEmailForShare(email);
      const recipient = account?.suspendedAt === null ? account : null;
      const code = createEmailCode();
      const to = { email: recipient?.email ?? email, locale: recipient?.locale ?? locale };
      const networkKey = Buffer.from(network, 'hex');
      const isSent = await this.mails.sendSignIn(to, code, networkKey, recipient === null);
      await this.codes.replace(subjectOf(canonicalEmail(email)), code, isSent || recipient === null);
    });
  }

  /**
   * Returns whether the code is right, which a wrong try counts against. Locks no account: the lock
   * is written, which takes time.
   */
  isRight(email: string, code: string): Promise<boolean> {
    return this.codes.isRight(subjectOf(canonicalEmail(email)), code);
  }

  /**
   * Uses a right code up, and locks its account. Joins the open transaction.
   * @returns null if the account is suspended or erased, or the code was just used or voided
   */
  async take(
    email: string,
    code: string,
  ): Promise<{ readonly userId: Locked<UserId>; readonly passwordVersion: number } | null> {
    const account = await this.accounts.findByEmailForShare(email);
    if (account?.suspendedAt !== null) return null;
    if (!(await this.codes.take(subjectOf(canonicalEmail(email)), code))) return null;
    return { userId: account.id, passwordVersion: account.passwordVersion };
  }

  @MailLink('sign-in-code')
  isMailOfUse({ to, token }: SentLink): Promise<boolean> {
    return this.codes.isWaiting(subjectOf(canonicalEmail(to)), token);
  }

  /** Voids the code that waits, when credentials change or the person signs out everywhere. */
  @OnLifecycle(
    'account.password-changed',
    'account.password-reset',
    'account.signed-out',
    'account.suspended',
    { order: LOCK.sessions },
  )
  async forget({ userId }: { userId: UserId }): Promise<void> {
    const account = await this.accounts.findForShare(userId);
    if (account && account.email !== null) await this.codes.delete(subjectOf(canonicalEmail(account.email)));
  }

  @OnLifecycle('account.erased', { order: LOCK.sessions })
  async forgetErased({ emailKey }: LifecycleEvents['account.erased']): Promise<void> {
    if (emailKey !== null) await this.codes.delete(subjectOf(emailKey));
  }

  @OnLifecycle('account.email-changed', { order: LOCK.sessions })
  async forgetFormer({ formerEmailKey }: LifecycleEvents['account.email-changed']): Promise<void> {
    if (formerEmailKey !== null) await this.codes.delete(subjectOf(formerEmailKey));
  }

  /** @throws {AppError} not-found without EMAIL_SIGN_IN */
  requireEnabled(): void {
    if (this.settings.EMAIL_SIGN_IN === 'off') throw new AppError('not-found');
  }
}

const subjectOf = (emailKey: string): CodeSubject => `sign-in|${emailKey}`;
