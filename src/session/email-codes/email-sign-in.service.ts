import { Inject, Injectable } from '@nestjs/common';
import {
  AccountService,
  LoginThrottle,
  SignInCounts,
  type MailRequest,
  RANDOM_DELAY,
} from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { MailLink, type SentLink } from '../../platform/mail/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { canonicalEmail, type LifecycleEvents, LOCK, type UserId } from '../../kernel/index.js';
import type { Client } from '../../platform/web/index.js';
import {
  type FirstFactorOutcome,
  FirstFactorService,
  requireGrant,
} from '../second-factor/first-factor.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TokenResponse } from '../tokens/token.response.js';
import { EmailCodeMails } from './email-code-mails.js';
import { type CodeSubject, createEmailCode, EmailCodeRepository } from './email-code.repository.js';

const SEND_CODE = 'session.email-code';

type SignInMail = MailRequest & { readonly network: string };

/** A mailed code, as a person presents it. */
interface PresentedCode {
  readonly email: string;
  readonly code: string;
  /** Token of a trusted device. */
  readonly deviceToken?: string | undefined;
}

/**
 * Starts sessions by mailed codes, with EMAIL_SIGN_IN. An address without an account has the same
 * work done: a code that is not mailed is stored for it, so that tries of it count alike (ADR 35).
 */
@Injectable()
export class EmailSignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly throttle: LoginThrottle,
    private readonly codes: EmailCodeRepository,
    private readonly mails: EmailCodeMails,
    private readonly firstFactors: FirstFactorService,
    private readonly tokens: TokenIssuer,
    private readonly jobs: JobQueue,
    private readonly counts: SignInCounts,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Queues the mail with a code. Does not tell whether the address has an account.
   * @throws {AppError} not-found without EMAIL_SIGN_IN
   */
  async requestCode(email: string, { ipAddress, locale }: Client): Promise<void> {
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
  async sendCode({ email, network, locale = null }: SignInMail): Promise<void> {
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
   * Starts a session by the code, which can be used once. Wrong codes count as wrong passwords do.
   * @throws {AppError} invalid-credentials; second-factor-required for the right code of an account
   *   that has one; not-found without EMAIL_SIGN_IN
   */
  async signIn({ email, code, deviceToken }: PresentedCode, client: Client): Promise<TokenResponse> {
    this.requireEnabled();
    const emailKey = canonicalEmail(email);
    const blocked = await this.throttle.isBlocked(emailKey, client.ipAddress);
    // Locks no account before the code is right: the lock is written, which takes time.
    const isRight = await this.codes.isRight(subjectOf(emailKey), code);
    const outcome = isRight && !blocked ? await this.proceed({ email, code, deviceToken }, client) : null;
    if (outcome) await this.throttle.recordSuccess(emailKey, client.ipAddress);
    else if (!blocked) await this.throttle.recordFailure(emailKey, client.ipAddress);
    if (!outcome) {
      this.counts.refused('wrong-code', {});
      throw wrongCode();
    }
    return this.tokens.issue(requireGrant(outcome));
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

  /** @returns null if the account is suspended or erased, or the code was just used or voided */
  private proceed(
    { email, code, deviceToken }: PresentedCode,
    client: Client,
  ): Promise<FirstFactorOutcome | null> {
    return this.database.transaction(async () => {
      const account = await this.accounts.findByEmailForShare(email);
      if (account?.suspendedAt !== null) return null;
      if (!(await this.codes.take(subjectOf(canonicalEmail(email)), code))) return null;
      const { id: userId, passwordVersion } = account;
      return this.firstFactors.proceed(
        { userId, passwordVersion },
        { method: 'email_code' },
        client,
        deviceToken,
      );
    });
  }

  private requireEnabled(): void {
    if (this.settings.EMAIL_SIGN_IN === 'off') throw new AppError('not-found');
  }
}

const subjectOf = (emailKey: string): CodeSubject => `sign-in|${emailKey}`;

const wrongCode = (): AppError =>
  new AppError('invalid-credentials', {
    reason: { id: 'sign-in.wrong-code' },
  });
