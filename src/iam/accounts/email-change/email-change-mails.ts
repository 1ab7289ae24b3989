import { Injectable } from '@nestjs/common';
import { Outbox, pathWithToken, RecipientMails } from '../../../platform/mail/index.js';
import { type Recipient, RESET_LIFETIME_SECONDS } from '../account-mails.js';
import '../account.messages.js';

export const CONFIRMATION_LIFETIME_SECONDS = 24 * 3_600;
export const UNDO_LIFETIME_SECONDS = 7 * 86_400;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;
const CONFIRM_EMAIL = 'confirm-email';
const EMAIL_TAKEN = 'email-taken';
/** Kinds of the mails that go to an address which is not proven; the last one to others as well. */
const REQUEST_MAILS = [CONFIRM_EMAIL, EMAIL_TAKEN, 'authenticators-reset-scheduled'];

/** Sends the mails about a change of address. */
@Injectable()
export class EmailChangeMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly sent: RecipientMails,
  ) {}

  /**
   * Sends the link that confirms a new address.
   * @param networkKey network that asked for the mail
   */
  sendConfirmation({ email, locale }: Recipient, plainToken: string, networkKey: Buffer): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: CONFIRMATION_LIFETIME_SECONDS,
        budget: {
          kind: CONFIRM_EMAIL,
          mails: 20,
          periodSeconds: DAY_SECONDS,
          perNetwork: { mails: 5, periodSeconds: HOUR_SECONDS, networkKey },
          unsolicited: { networkKey },
        },
      },
      (text) => ({
        subject: text('mail.confirm-email.subject'),
        paragraphs: [
          text('mail.confirm-email.asked'),
          text('mail.confirm-email.was-you'),
          text('mail.confirm-email.was-not-you'),
        ],
        action: {
          label: text('mail.confirm-email.confirm'),
          path: pathWithToken('confirm-email', plainToken),
        },
      }),
    );
  }

  /** Tells the owner of an address that another account was to get it. */
  sendTaken({ email, locale }: Recipient, networkKey: Buffer): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: {
          kind: EMAIL_TAKEN,
          mails: 10,
          periodSeconds: DAY_SECONDS,
          perNetwork: { mails: 1, periodSeconds: HOUR_SECONDS, networkKey },
          unsolicited: { networkKey },
        },
      },
      (text) => ({
        subject: text('mail.email-taken.subject'),
        paragraphs: [
          text('mail.email-taken.asked'),
          text('mail.email-taken.was-you'),
          text('mail.email-taken.was-not-you'),
        ],
      }),
    );
  }

  /**
   * Tells the former address.
   * @param plainToken of the link that restores it; null if it has none
   */
  sendChanged({ email, locale }: Recipient, plainToken: string | null): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: UNDO_LIFETIME_SECONDS,
        budget: { kind: 'email-changed', mails: 20, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text('mail.email-changed.subject'),
        paragraphs: [
          text('mail.email-changed.changed'),
          ...(plainToken === null ? [] : [text('mail.email-changed.was-not-you')]),
        ],
        action:
          plainToken === null
            ? null
            : { label: text('mail.email-changed.undo'), path: pathWithToken('undo-email', plainToken) },
      }),
    );
  }

  /** Sends the link to choose a new password to an address that was restored. */
  sendRestored({ email, locale }: Recipient, plainToken: string): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: RESET_LIFETIME_SECONDS,
        budget: { kind: 'email-restored', mails: 20, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text('mail.email-restored.subject'),
        paragraphs: [text('mail.email-restored.restored'), text('mail.email-restored.choose')],
        action: {
          label: text('mail.password-reset.choose'),
          path: pathWithToken('reset-password', plainToken),
        },
      }),
    );
  }

  /** Stops the mails about a change that wait to be sent to an address. */
  async withdrawRequests(emailKey: string): Promise<void> {
    await this.sent.withdraw(emailKey, REQUEST_MAILS);
  }

  /** Returns the key of the network that asks for a mail: see {@link Outbox.networkKey}. */
  networkKey(to: string, ipAddress: string): Buffer {
    return this.outbox.networkKey(to, ipAddress);
  }
}
