import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { canonicalEmail } from '../../kernel/index.js';
import { Outbox, pathWithToken, quotedName, RecipientMails } from '../../platform/mail/index.js';
import { nameOf, type PersonName } from './person-name.js';
import './account.messages.js';

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

/** Account or registration that a mail goes to. */
export interface Recipient {
  readonly email: string;
  /** Language of the person (BCP 47); null if it is not known. */
  readonly locale: string | null;
}

/** Job that mails an address. */
export interface MailRequest {
  readonly email: string;
  /** Key of the network that asked for the mail, in hexadecimal. */
  readonly network?: string;
  /** Language that the request asked for. */
  readonly locale?: string | null;
}

/** Recipient who may come from an invitation. */
interface Registrant extends Recipient {
  /** Token of the invitation, to which the link leads back. */
  readonly invitation?: string | undefined;
}

/** Registration as its verification mail shows it. */
interface RegistrationToProve extends Registrant, PersonName {
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
    private readonly sent: RecipientMails,
  ) {}

  /**
   * Sends the link that verifies an address. The mail says when and by which name the address
   * was registered, so that its owner can tell their own registration from an attacker's.
   * @param networkKey network that asked for the mail; null if it is not known
   * @param isDecoy whether to do the same work without sending a mail
   */
  sendVerification(
    { email, locale, registeredAt, plainToken, invitation, ...person }: RegistrationToProve,
    networkKey: Buffer | null,
    isDecoy = false,
  ): Promise<boolean> {
    const name = quotedName(nameOf(person) ?? '');
    const values = { registeredAt: utcOf(registeredAt) };
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: VERIFICATION_LIFETIME_SECONDS,
        isDecoy,
        budget: {
          kind: VERIFICATION,
          ...REGISTRATION_SHARE,
          perNetwork: { ...REGISTRATION_SHARE_OF_NETWORK, networkKey },
          unsolicited: { networkKey },
        },
      },
      (text) => ({
        subject: text('mail.verification.subject'),
        paragraphs: [
          name === null
            ? text('mail.verification.registered-without-name', values)
            : text('mail.verification.registered', { ...values, name }),
          text('mail.verification.was-you'),
          text('mail.verification.was-not-you'),
        ],
        action: {
          label: text('mail.verification.verify'),
          path: `${pathWithToken('verify-email', plainToken)}&for=${fingerprintOf(plainToken, email)}${
            invitation === undefined ? '' : `&invitation=${invitation}`
          }`,
        },
        alternative: {
          label: text('mail.verification.refuse'),
          path: pathWithToken('refuse-registration', plainToken),
        },
      }),
    );
  }

  sendAlreadyRegistered(
    { email, locale, invitation }: Registrant,
    networkKey: Buffer | null,
  ): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: {
          kind: ALREADY_REGISTERED,
          mails: 10,
          periodSeconds: DAY_SECONDS,
          perNetwork: { mails: 1, periodSeconds: HOUR_SECONDS, networkKey },
          unsolicited: { networkKey },
        },
      },
      (text) => ({
        subject: text('mail.already-registered.subject'),
        paragraphs: [text('mail.already-registered.was-you'), text('mail.already-registered.was-not-you')],
        action: {
          label: text('mail.already-registered.sign-in'),
          path: invitation === undefined ? '' : pathWithToken('accept-invitation', invitation),
        },
      }),
    );
  }

  /** Removes the mails of registrations that are dropped. */
  async forgetRegistrations(to: string): Promise<void> {
    await this.sent.forget(to, REGISTRATION_MAILS);
  }

  /**
   * Sends the link to choose a first password. For an address that was registered with different
   * passwords: the service cannot tell which of them is the owner's (ADR 2).
   */
  sendChoosePassword({ email, locale }: Recipient, plainToken: string): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: RESET_LIFETIME_SECONDS,
        budget: { kind: 'choose-password', mails: 10, periodSeconds: HOUR_SECONDS },
      },
      (text) => ({
        subject: text('mail.choose-password.subject'),
        paragraphs: [text('mail.choose-password.ready'), text('mail.choose-password.within')],
        action: {
          label: text('mail.choose-password.choose'),
          path: pathWithToken('reset-password', plainToken),
        },
      }),
    );
  }

  sendPasswordReset(
    { email, locale }: Recipient,
    plainToken: string,
    networkKey: Buffer | null,
    isDecoy: boolean,
  ): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
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
      (text) => ({
        subject: text('mail.password-reset.subject'),
        paragraphs: [text('mail.password-reset.was-you'), text('mail.password-reset.was-not-you')],
        action: {
          label: text('mail.password-reset.choose'),
          path: pathWithToken('reset-password', plainToken),
        },
      }),
    );
  }

  /** Sends the link to choose a new password, in place of one that an operator removed. */
  sendNewPasswordRequired({ email, locale }: Recipient, plainToken: string): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: RESET_LIFETIME_SECONDS,
        budget: { kind: 'new-password-required', mails: 10, periodSeconds: HOUR_SECONDS },
      },
      (text) => ({
        subject: text('mail.new-password-required.subject'),
        paragraphs: [text('mail.new-password-required.removed'), text('mail.new-password-required.within')],
        action: {
          label: text('mail.password-reset.choose'),
          path: pathWithToken('reset-password', plainToken),
        },
      }),
    );
  }

  /** Tells the owner that the export is ready. The mail has no link to it: it takes a sign-in. */
  /** @param byOperator whether an operator started the export */
  sendExportReady({ email, locale }: Recipient, byOperator: boolean): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'export-ready', mails: 2, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text('mail.export-ready.subject'),
        paragraphs: byOperator
          ? [text('mail.export-ready.by-support'), text('mail.export-ready.for-you-alone')]
          : [text('mail.export-ready.ready'), text('mail.export-ready.was-not-you')],
      }),
    );
  }

  sendPasswordChanged({ email, locale }: Recipient): Promise<boolean> {
    return this.outbox.send(
      { email, locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'password-changed', mails: 20, periodSeconds: HOUR_SECONDS },
      },
      (text) => ({
        subject: text('mail.password-changed.subject'),
        paragraphs: [text('mail.password-changed.changed'), text('mail.password-changed.was-not-you')],
        action: null,
      }),
    );
  }

  /** Returns the key of the network that asks for a mail: see {@link Outbox.networkKey}. */
  networkKey(to: string, ipAddress: string): Buffer {
    return this.outbox.networkKey(to, ipAddress);
  }
}

/** Formats a time, such as `2026-05-01 14:03 UTC`. */
export const utcOf = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/**
 * Computes the value by which the browser that registered the address recognises the link, without
 * the address in it. The portal computes the same from the hash of the address that it has stored.
 */
function fingerprintOf(plainToken: string, to: string): string {
  const address = hash('sha256', canonicalEmail(to), 'base64url');
  return hash('sha256', `${plainToken}.${address}`, 'base64url').slice(0, 22);
}
