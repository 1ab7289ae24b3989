import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { newId, canonicalEmail, networkOf, type Client, type UserId } from '../../platform/http/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { AccountMails, VERIFICATION_LIFETIME_SECONDS } from './account-mails.js';
import { AccountRepository } from './account.repository.js';
import { PasswordHasher } from './password-hasher.js';
import { PendingRegistrationRepository } from './pending-registration.repository.js';

export interface Registration {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly company?: string;
  readonly country?: string;
  readonly marketingOptIn?: boolean;
}

const SEND_REGISTRATION_MAIL = 'iam.registration-mail';
const RESEND_VERIFICATION = 'iam.resend-verification';

/** From registration to a verified account. Requests do the same work for a known and an unknown address; jobs find out which it is. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly hasher: PasswordHasher,
    private readonly mails: AccountMails,
    private readonly jobs: JobQueue,
    private readonly audit: AuditTrail,
  ) {}

  /** Notes the registration; the account comes into being when the address is verified. */
  async register(registration: Registration, client: Client): Promise<void> {
    const { email, firstName, company = null, country = null, marketingOptIn = false } = registration;
    const emailKey = canonicalEmail(email);
    const account = await this.accounts.findByEmailKey(emailKey);
    const earlier = await this.pending.findNewestByEmailKey(emailKey);
    // All passwords of an address share a salt, so that a login compares with account and registration for the price of one hash.
    const like = account?.passwordHash ?? earlier?.passwordHash ?? null;
    const passwordHash = await this.hasher.hash(registration.password, networkOf(client.ipAddress), like);
    const { plainToken, tokenHash } = createOneTimeToken();
    await this.database.transaction(async () => {
      const pending = {
        email,
        emailKey,
        passwordHash,
        firstName,
        company,
        country,
        marketingOptIn,
      };
      await this.pending.insert(tokenHash, pending, VERIFICATION_LIFETIME_SECONDS);
      await this.jobs.add(SEND_REGISTRATION_MAIL, { email, plainToken });
    });
  }

  /** Tells a newcomer how to verify, and the owner of a taken address that there is an account already. Silent where an erasure came first. */
  @JobHandler({ task: SEND_REGISTRATION_MAIL })
  async sendRegistrationMail({ email, plainToken }: { email: string; plainToken: string }): Promise<void> {
    const emailKey = canonicalEmail(email);
    await this.database.transaction(async () => {
      const account = await this.accounts.findByEmailKeyForShare(emailKey);
      if (account) {
        await this.mails.alreadyRegistered(account.email);
      } else if (await this.pending.hold(hashOneTimeToken(plainToken))) {
        await this.mails.verification(email, plainToken);
      }
    });
  }

  /** Asks for another verification mail; whether there is anything to verify stays unsaid. */
  async requestResend(email: string): Promise<void> {
    await this.jobs.add(RESEND_VERIFICATION, { email });
  }

  /** Mails a further link for the newest registration of the address; earlier links go on working. */
  @JobHandler({ task: RESEND_VERIFICATION })
  async resend({ email }: { email: string }): Promise<void> {
    const emailKey = canonicalEmail(email);
    await this.database.transaction(async () => {
      // Held, and the account first, as by an erasure: what that removes must not come back.
      if (await this.accounts.findByEmailKeyForShare(emailKey)) return;
      const pending = await this.pending.holdNewestByEmailKey(emailKey);
      if (!pending) return;
      const { plainToken, tokenHash } = createOneTimeToken();
      if (await this.mails.verification(pending.email, plainToken)) {
        await this.pending.insert(tokenHash, pending, VERIFICATION_LIFETIME_SECONDS);
      }
    });
  }

  /**
   * Makes the account. Every other registration that waited for the address is void: its password was chosen by somebody unproven.
   * @throws {AppError} validation-error on `token` when it is wrong, used or expired
   */
  async verify(plainToken: string): Promise<void> {
    await this.database.transaction(async () => {
      const pending = await this.pending.consume(hashOneTimeToken(plainToken));
      if (!pending) throw invalidToken();
      const id = newId() as UserId;
      if (!(await this.accounts.insertVerified(id, pending.emailKey, pending))) throw invalidToken();
      await this.audit.recordOfAccount(id, 'created');
    });
  }

  @OnLifecycle('account.erased')
  async forget({ emailKey }: { emailKey: string | null }): Promise<void> {
    if (emailKey !== null) await this.pending.deleteByEmailKey(emailKey);
  }
}

const invalidToken = (): AppError =>
  AppError.violation('token', 'The link is not valid any more. Ask for a new one with resend-verification.');
