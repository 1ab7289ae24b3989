import { Injectable } from '@nestjs/common';
import { Outbox } from '../../../platform/mail/index.js';
import { type Recipient, utcOf } from '../account-mails.js';
import '../account.messages.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
/** Maximum time that the mail about an erasure is kept, sent or not; then nothing is left of it. */
export const MAX_ERASURE_MAIL_TTL_SECONDS = HOUR_SECONDS;
/** More mails a day would only teach the owner to ignore them. */
const MAX_NETWORK_NOTICES_PER_DAY = 3;

/** Sign-in as mails show it. Nothing in it is text that the client sent. */
export interface NotedSignIn {
  readonly at: Date;
  /** Browser and system, such as "Firefox, Linux"; null if unknown. */
  readonly device: string | null;
  readonly ipAddress: string;
}

/** Sends mails that tell owners what was done with their account. Their links change nothing. */
@Injectable()
export class SecurityNotices {
  constructor(private readonly outbox: Outbox) {}

  /**
   * Tells the owner of a sign-in from a new network.
   * @returns false if the address has used up its budget
   */
  sendNewNetwork({ email, locale }: Recipient, { at, device, ipAddress }: NotedSignIn): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'new-network', mails: MAX_NETWORK_NOTICES_PER_DAY, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text('mail.new-network.subject'),
        paragraphs: [
          text('mail.new-network.signed-in'),
          text('mail.new-network.time', { time: utcOf(at) }),
          ...(device === null ? [] : [text('mail.new-network.browser', { device })]),
          text('mail.new-network.address', { ipAddress }),
          text('mail.new-network.was-not-you'),
        ],
      }),
    );
  }

  /**
   * Tells the owner that the account was erased. The mail is kept under its own key, because
   * the erasure removes all mails under the address; the caller has to remove it.
   * @returns the keys that it may be kept under
   */
  async sendErased({ email, locale }: Recipient, accountId: string): Promise<readonly Buffer[]> {
    const keptAs = `erased-account:${accountId}`;
    await this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: MAX_ERASURE_MAIL_TTL_SECONDS,
        budget: { kind: 'account-erased', mails: 1, periodSeconds: HOUR_SECONDS },
        keptAs,
      },
      (text) => ({
        subject: text('mail.account-erased.subject'),
        paragraphs: [
          text('mail.account-erased.erased'),
          text('mail.account-erased.was-not-you'),
          text('mail.account-erased.last'),
        ],
        action: null,
      }),
    );
    return this.outbox.keysOf(keptAs);
  }
}
