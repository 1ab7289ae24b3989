import { Injectable } from '@nestjs/common';
import type { Recipient } from '../../iam/index.js';
import { Outbox, pathWithToken } from '../../platform/mail/index.js';
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
  constructor(private readonly outbox: Outbox) {}

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
    return this.outbox.send(
      { email, locale },
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
      (text) => ({
        subject: text('mail.sign-in-code.subject'),
        paragraphs: [
          text('mail.sign-in-code.code', { code }),
          text('mail.email-code.within'),
          text('mail.sign-in-code.was-not-you'),
        ],
        action: {
          label: text('mail.sign-in-code.sign-in'),
          path: pathWithToken('email-code', code),
        },
      }),
    );
  }

  /** Sends a code by which a signed-in person confirms who they are. */
  sendStepUp({ email, locale }: Recipient, code: string): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: CODE_LIFETIME_SECONDS,
        budget: { kind: 'step-up-code', mails: 10, periodSeconds: HOUR_SECONDS },
      },
      (text) => ({
        subject: text('mail.step-up-code.subject'),
        paragraphs: [
          text('mail.step-up-code.code', { code }),
          text('mail.email-code.within'),
          text('mail.step-up-code.was-not-you'),
        ],
        action: null,
      }),
    );
  }

  /** Returns the key of the network that asks for a mail: see {@link Outbox.networkKey}. */
  networkKey(to: string, ipAddress: string): Buffer {
    return this.outbox.networkKey(to, ipAddress);
  }
}
