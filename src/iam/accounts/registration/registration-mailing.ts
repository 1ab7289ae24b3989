import { Injectable } from '@nestjs/common';
import { createOneTimeToken, hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { canonicalEmail } from '../../../kernel/index.js';
import { type Client, networkOf } from '../../../platform/web/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { RateLimits } from '../../../platform/rate-limit/index.js';
import { RESEND_LIMIT } from '../account.declarations.js';
import {
  AccountMails,
  type MailRequest,
  RANDOM_DELAY,
  VERIFICATION_LIFETIME_SECONDS,
} from '../account-mails.js';
import { AccountRepository } from '../account.repository.js';
import { NO_NAME } from '../person-name.js';
import {
  PendingRegistrationRepository,
  type WaitingRegistration,
} from './pending-registration.repository.js';

interface Invited {
  /** Token of the invitation that the person comes from. */
  readonly invitation?: string | undefined;
}

interface RegistrationMail extends Invited {
  readonly email: string;
  readonly plainToken: string;
}

type ResendRequest = MailRequest & Invited;

const SEND_REGISTRATION_MAIL = 'iam.registration-mail';
const RESEND_VERIFICATION = 'iam.resend-verification';

/** Maximum number of links that one request to resend causes. */
const MAX_RESENT = 5;

/** Sends the mails about registrations, by jobs that do the same work for each address (ADR 23). */
@Injectable()
export class RegistrationMailing {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly pending: PendingRegistrationRepository,
    private readonly mails: AccountMails,
    private readonly jobs: JobQueue,
    private readonly limits: RateLimits,
  ) {}

  /** Returns the key of the network that asks for a mail to an address. */
  networkKey(email: string, ipAddress: string): Buffer {
    return this.mails.networkKey(email, ipAddress);
  }

  /** Queues the mail about a registration in the open transaction. */
  queue(mail: RegistrationMail): Promise<void> {
    return this.jobs.add(SEND_REGISTRATION_MAIL, mail, RANDOM_DELAY);
  }

  /**
   * Sends the link to verify the address, or tells the owner of the address that it has an account
   * already. Sends nothing if the registration has been removed, as by an erasure.
   */
  @JobHandler({ task: SEND_REGISTRATION_MAIL })
  async sendRegistrationMail({ email, plainToken, invitation }: RegistrationMail): Promise<void> {
    const emailKey = canonicalEmail(email);
    await this.database.transaction(async () => {
      const account = await this.accounts.findByEmailKeyForShare(emailKey);
      const pending = await this.pending.findForShare(hashOneTimeToken(plainToken));
      if (!pending) return;
      const { networkKey } = pending;
      if (account) {
        const locale = account.locale ?? pending.locale;
        await this.mails.sendAlreadyRegistered({ email: account.email, locale, invitation }, networkKey);
      } else await this.mails.sendVerification({ ...pending, email, plainToken, invitation }, networkKey);
    });
  }

  /** Queues further mails about an address, unless the network has exceeded its limit. */
  async queueResend(
    email: string,
    invitation: string | undefined,
    { ipAddress, locale }: Client,
  ): Promise<void> {
    if ((await this.limits.take(RESEND_LIMIT, networkOf(ipAddress))).isBlocked) return;
    const network = this.mails.networkKey(email, ipAddress).toString('hex');
    await this.jobs.add(RESEND_VERIFICATION, { email, network, locale, invitation }, RANDOM_DELAY);
  }

  /**
   * Mails a further link for each pending registration, at most {@link MAX_RESENT}. Earlier links
   * stay valid. Runs the same statements if the address has an account, and if no registration is
   * pending, as for one pending registration (ADR 23).
   * @param job the requested address, the key of the network that asked, in hexadecimal, the
   *   language that the request asked for, and the token of an invitation
   */
  @JobHandler({ task: RESEND_VERIFICATION })
  async resend({ email, network, locale = null, invitation }: ResendRequest): Promise<void> {
    const emailKey = canonicalEmail(email);
    const networkKey = network === undefined ? null : Buffer.from(network, 'hex');
    await this.database.transaction(async () => {
      // Locks the account first, as an erasure does: what that removes must not be inserted again.
      const account = await this.accounts.findByEmailKeyForShare(emailKey);
      const waiting = await this.pending.listDistinctForShare(emailKey, networkKey, MAX_RESENT);
      const isDecoy = account !== null || waiting.length === 0;
      for (const pending of waiting.length > 0 ? waiting : [decoyFor(email)]) {
        const { plainToken, tokenHash } = createOneTimeToken();
        const shown = { ...pending, locale: pending.locale ?? locale, plainToken, invitation };
        const isSent = await this.mails.sendVerification(shown, networkKey, isDecoy);
        const further = { registeredAt: pending.registeredAt, isInserted: isSent };
        await this.pending.insert(tokenHash, pending, VERIFICATION_LIFETIME_SECONDS, further);
      }
    });
  }
}

/** Creates a registration that is never stored, for the same work as a pending one. */
const decoyFor = (email: string): WaitingRegistration => ({
  email,
  emailKey: canonicalEmail(email),
  passwordHash: '',
  ...NO_NAME,
  firstName: 'Person',
  company: null,
  country: null,
  marketingOptIn: false,
  locale: null,
  networkKey: null,
  registeredAt: new Date(),
});
