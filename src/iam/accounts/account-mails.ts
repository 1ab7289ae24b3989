import { createHash } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { canonicalEmail } from '../../kernel/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';

export const VERIFICATION_LIFETIME_SECONDS = 24 * 3_600;
export const RESET_LIFETIME_SECONDS = 3_600;
const VERIFICATION = 'verification';
const ALREADY_REGISTERED = 'already-registered';
/** Kinds of the mails that a registration causes. */
const REGISTRATION_MAILS = [VERIFICATION, ALREADY_REGISTERED];
const QUARTER_HOUR_SECONDS = 900;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** Maximum number of verification mails per address: of all networks, and of one (ADR 2). */
const REGISTRATION_SHARE = { mails: 300, periodSeconds: DAY_SECONDS };
const REGISTRATION_SHARE_OF_NETWORK = { mails: 30, periodSeconds: DAY_SECONDS };

/** Registration as its verification mail shows it. */
interface RegistrationToProve {
  readonly firstName: string;
  readonly registeredAt: Date;
  readonly plainToken: string;
}

/**
 * Starts the job of an anonymous request after a random delay, so that an attacker cannot match its
 * load with the request and so learn whether the address has an account (ADR 23).
 */
export const RANDOM_DELAY = { withinSeconds: 2 };

/**
 * Sends the mails about accounts. Each method returns whether a mail will be sent: false if the
 * address has used up its budget, and for a decoy, which does the same work without a recipient
 * (ADR 23).
 */
@Injectable()
export class AccountMails {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Sends the link that verifies an address. The mail says when and by which first name the address
   * was registered, so that its owner can tell their own registration from an attacker's.
   * @param networkKey network that asked for the mail; null if it is not known
   * @param isDecoy whether to do the same work without sending a mail
   */
  sendVerification(
    to: string,
    { firstName, registeredAt, plainToken }: RegistrationToProve,
    networkKey: Buffer | null,
    isDecoy = false,
  ): Promise<boolean> {
    const name = quotedName(firstName);
    const typed = name === null ? 'a first name that cannot be shown here' : `the first name ${name}`;
    return this.outbox.send(
      {
        to,
        subject: 'Verify your e-mail address',
        paragraphs: [
          `An account was registered with this e-mail address at ${utcOf(registeredAt)}. The person who registered typed ${typed}.`,
          'If it was you, verify the address within 24 hours. You need the password that you chose.',
          'If it was not you, refuse the registration. No account is created then.',
        ],
        action: {
          label: 'Verify this address',
          url: `${this.link('verify-email', plainToken)}&for=${fingerprintOf(plainToken, to)}`,
        },
        alternative: { label: 'This was not me', url: this.link('refuse-registration', plainToken) },
      },
      {
        usefulForSeconds: VERIFICATION_LIFETIME_SECONDS,
        isDecoy,
        budget: {
          kind: VERIFICATION,
          ...REGISTRATION_SHARE,
          perNetwork: { ...REGISTRATION_SHARE_OF_NETWORK, networkKey },
        },
      },
    );
  }

  sendAlreadyRegistered(to: string, networkKey: Buffer | null): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'You already have an account',
        paragraphs: [
          'Someone tried to register an account with this e-mail address, which already has one. If it was you, sign in, or reset your password if you have forgotten it.',
          'If it was not you, there is nothing to do. Nothing was changed.',
        ],
        action: { label: 'Go to the sign-in page', url: this.settings.APP_URL },
      },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: {
          kind: ALREADY_REGISTERED,
          mails: 10,
          periodSeconds: DAY_SECONDS,
          perNetwork: { mails: 1, periodSeconds: HOUR_SECONDS, networkKey },
        },
      },
    );
  }

  /** Removes the mails of registrations that are dropped. */
  async forgetRegistrations(to: string): Promise<void> {
    await this.outbox.forget(this.outbox.recipientKeys(to), REGISTRATION_MAILS);
  }

  /**
   * Sends the link to choose a first password. For an address that was registered with different
   * passwords: the service cannot tell which of them is the owner's (ADR 2).
   */
  sendChoosePassword(to: string, plainToken: string): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'Choose a password for your account',
        paragraphs: [
          'You verified this e-mail address, and your account is ready. The address was registered with different passwords, so none of them is used.',
          'Choose your password within one hour. Later, ask for a new link with "Forgotten your password?" on the sign-in page.',
        ],
        action: { label: 'Choose a password', url: this.link('reset-password', plainToken) },
      },
      {
        usefulForSeconds: RESET_LIFETIME_SECONDS,
        budget: { kind: 'choose-password', mails: 10, periodSeconds: HOUR_SECONDS },
      },
    );
  }

  sendPasswordReset(
    to: string,
    plainToken: string,
    networkKey: Buffer | null,
    isDecoy = false,
  ): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'Reset your password',
        paragraphs: [
          'Someone asked to reset the password of your account. If it was you, choose a new one: the link works once, within one hour.',
          'If it was not you, ignore this mail. Your password stays as it is.',
        ],
        action: { label: 'Choose a new password', url: this.link('reset-password', plainToken) },
      },
      {
        usefulForSeconds: RESET_LIFETIME_SECONDS,
        isDecoy,
        budget: {
          kind: 'password-reset',
          mails: 40,
          periodSeconds: HOUR_SECONDS,
          perNetwork: { mails: 10, periodSeconds: QUARTER_HOUR_SECONDS, networkKey },
        },
      },
    );
  }

  sendPasswordChanged(to: string): Promise<boolean> {
    return this.outbox.send(
      {
        to,
        subject: 'Your password was changed',
        paragraphs: [
          'The password of your account was changed, and devices that were signed in before have been signed out.',
          'If it was not you, reset the password at once and tell your administrator.',
        ],
      },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'password-changed', mails: 20, periodSeconds: HOUR_SECONDS },
      },
    );
  }

  /** Returns the key of the network that asks for a mail: see {@link Outbox.networkKey}. */
  networkKey(to: string, ipAddress: string): Buffer {
    return this.outbox.networkKey(to, ipAddress);
  }

  /** Builds a link from the setting `APP_URL`, never from a request header. */
  private link(page: string, plainToken: string): string {
    return `${this.settings.APP_URL}/${page}?token=${plainToken}`;
  }
}

/** Formats a time, such as `2026-05-01 14:03 UTC`. */
const utcOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Computes the value by which the browser that registered the address recognises the link, without
 * the address in it. The portal computes the same from the hash of the address that it has stored.
 */
function fingerprintOf(plainToken: string, to: string): string {
  const address = createHash('sha256').update(canonicalEmail(to)).digest('base64url');
  return createHash('sha256').update(`${plainToken}.${address}`).digest('base64url').slice(0, 22);
}
