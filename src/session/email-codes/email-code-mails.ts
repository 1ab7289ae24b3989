import { Inject, Injectable } from '@nestjs/common';
import type { Recipient } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import '../session.messages.js';
import { CODE_LIFETIME_SECONDS } from './email-code.repository.js';

const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;

/**
 * Sends mailed codes. Each method returns whether a mail will be sent: false if the address has
 * used up its budget, and for a decoy (ADR 23).
 */
@Injectable()
export class EmailCodeMails {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Sends a code to sign in, and a link that signs in the browser which asked for it.
   * @param networkKey network that asked for the mail
   */
  sendSignIn(
    { email, locale }: Recipient,
    code: string,
    networkKey: Buffer,
    isDecoy: boolean,
  ): Promise<boolean> {
    const language = localeOf(locale);
    const text = textIn(language);
    return this.outbox.send(
      {
        to: email,
        locale: language,
        subject: text('mail.sign-in-code.subject'),
        paragraphs: [
          text('mail.sign-in-code.code', { code }),
          text('mail.email-code.within'),
          text('mail.sign-in-code.was-not-you'),
        ],
        action: {
          label: text('mail.sign-in-code.sign-in'),
          url: `${this.settings.APP_URL}/email-code?token=${code}`,
        },
      },
      {
        usefulForSeconds: CODE_LIFETIME_SECONDS,
        isDecoy,
        budget: {
          kind: 'sign-in-code',
          mails: 20,
          periodSeconds: HOUR_SECONDS,
          perNetwork: { mails: 5, periodSeconds: QUARTER_HOUR_SECONDS, networkKey },
        },
      },
    );
  }

  /** Sends a code by which a signed-in person confirms who they are. */
  sendStepUp({ email, locale }: Recipient, code: string): Promise<boolean> {
    const language = localeOf(locale);
    const text = textIn(language);
    return this.outbox.send(
      {
        to: email,
        locale: language,
        subject: text('mail.step-up-code.subject'),
        paragraphs: [
          text('mail.step-up-code.code', { code }),
          text('mail.email-code.within'),
          text('mail.step-up-code.was-not-you'),
        ],
      },
      {
        usefulForSeconds: CODE_LIFETIME_SECONDS,
        budget: { kind: 'step-up-code', mails: 10, periodSeconds: HOUR_SECONDS },
      },
    );
  }

  /** Returns the key of the network that asks for a mail: see {@link Outbox.networkKey}. */
  networkKey(to: string, ipAddress: string): Buffer {
    return this.outbox.networkKey(to, ipAddress);
  }
}
