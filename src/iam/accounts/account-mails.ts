import { Inject, Injectable } from '@nestjs/common';
import { SETTINGS, type Settings } from '../../platform/config/index.js';
import { Outbox } from '../../platform/mail/index.js';

export const VERIFICATION_LIFETIME_SECONDS = 24 * 3_600;
export const RESET_LIFETIME_SECONDS = 3_600;
const VERIFICATION = 'verification';
const ALREADY_REGISTERED = 'already-registered';
/** The mails that a registration causes. */
const REGISTRATION_MAILS = [VERIFICATION, ALREADY_REGISTERED];
const QUARTER_HOUR = 900;
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** The mails that accounts cause. Each answers false where the address has had its share. */
@Injectable()
export class AccountMails {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  verification(to: string, plainToken: string): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'Verify your e-mail address',
        paragraphs: [
          'Someone, hopefully you, registered an account with this e-mail address. Confirm that it is yours within 24 hours.',
          'If it was not you, do not open the link: without it no account comes into being.',
        ],
        action: { label: 'Verify this address', url: this.link('verify-email', plainToken) },
      },
      {
        usefulForSeconds: VERIFICATION_LIFETIME_SECONDS,
        budget: { kind: VERIFICATION, mails: 10, periodSeconds: QUARTER_HOUR },
      },
    );
  }

  alreadyRegistered(to: string): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'You already have an account',
        paragraphs: [
          'Someone, hopefully you, tried to register an account with this e-mail address. It already has one: sign in with it, or reset the password if it is forgotten.',
          'If it was not you, there is nothing to do. Nothing was changed.',
        ],
        action: { label: 'Go to the sign-in page', url: this.settings.APP_URL },
      },
      { usefulForSeconds: DAY, budget: { kind: ALREADY_REGISTERED, mails: 1, periodSeconds: HOUR } },
    );
  }

  /** Takes back the mails of registrations that are dropped. */
  async forgetRegistrations(to: string): Promise<void> {
    await this.outbox.forget(this.outbox.recipientKeys(to), REGISTRATION_MAILS);
  }

  passwordReset(to: string, plainToken: string): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'Reset your password',
        paragraphs: [
          'Someone, hopefully you, asked to reset the password of your account. The link works once, within one hour.',
          'If it was not you, ignore this mail. Your password stays as it is.',
        ],
        action: { label: 'Choose a new password', url: this.link('reset-password', plainToken) },
      },
      {
        usefulForSeconds: RESET_LIFETIME_SECONDS,
        budget: { kind: 'password-reset', mails: 10, periodSeconds: QUARTER_HOUR },
      },
    );
  }

  passwordChanged(to: string): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'Your password was changed',
        paragraphs: [
          'The password of your account was changed, and devices that were signed in before have been signed out.',
          'If it was not you, reset the password at once and tell your administrator.',
        ],
      },
      { usefulForSeconds: DAY, budget: { kind: 'password-changed', mails: 20, periodSeconds: HOUR } },
    );
  }

  /** Links come from the configuration alone, never from a request header. */
  private link(page: string, plainToken: string): string {
    return `${this.settings.APP_URL}/${page}?token=${plainToken}`;
  }
}
