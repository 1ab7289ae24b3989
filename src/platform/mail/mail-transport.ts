import { once } from 'node:events';
import { domainToASCII } from 'node:url';
import { Logger } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { isLocalDevelopment, type Settings } from '../config/index.js';
import { MailFolder } from './mail-folder.js';
import { renderHtml, renderText, senderOf } from './mail-template.js';
import type { OutgoingMail } from './letter.js';

/** Permanent refusal by the mail server: the mailbox does not exist, or the content is refused. */
export class Undeliverable extends Error {
  /** @param response what the mail server said */
  constructor(readonly response: string | null) {
    super('The mail server refused the mail.');
  }
}

/** Attempt to deliver a mail. */
interface Delivery {
  /** Id of the mail, the same in every attempt. */
  readonly id: string;
  readonly mail: OutgoingMail;
  readonly recipientKey: Buffer;
  /** Aborts the attempt. */
  readonly signal: AbortSignal;
  /** Does the same work without sending a mail. */
  readonly isDecoy: boolean;
}

/** Delivers mails: by SMTP or to files. */
export interface MailTransport {
  /**
   * Delivers a mail.
   * @returns what the mail server said; null if there is none
   * @throws {Undeliverable} if the refusal is permanent
   * @throws {Error} if the delivery should be retried
   */
  deliver(delivery: Delivery): Promise<string | null>;
  /** Deletes what the transport itself stores of a recipient. */
  forget(recipientKey: Buffer): Promise<void>;
}

export const MAIL_TRANSPORT = Symbol('mailTransport');

/** Converts the domain of an address to ASCII, for mail servers without SMTPUTF8. */
function withAsciiDomain(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToASCII(address.slice(at));
}

/**
 * Composes the message. Its Message-ID is the same in every attempt, so that a mailbox can
 * recognize a mail that was sent again after its acknowledgement was lost (RFC 5322 section
 * 3.6.4).
 */
const compose = ({ id, mail }: Delivery, from: string) => ({
  messageId: `<${id.toLowerCase()}@${domainToASCII(from.slice(from.lastIndexOf('@') + 1))}>`,
  from: { name: senderOf(mail), address: from },
  to: { name: '', address: withAsciiDomain(mail.to) },
  subject: mail.subject,
  text: renderText(mail),
  html: renderHtml(mail),
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/**
 * Checks for a permanent refusal: a 5yz reply (RFC 5321 section 4.2.1) to recipient or content.
 * One to the service's own sign-in, such as a wrong password, is retried until the operator
 * corrects it.
 */
function isPermanent(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}

/** Returns what a mail server said with an error, or else the code of the error. */
export function replyOf(error: unknown): string | null {
  const { response, code } = error as { response?: unknown; code?: unknown };
  if (typeof response === 'string') return response;
  return typeof code === 'string' ? code : null;
}

/** Loads nodemailer on the first mail. */
const mailer = () => import('nodemailer');

/** Options of nodemailer's transport that only creates the message. */
const IN_MEMORY = { streamTransport: true, buffer: true, newline: 'unix' };

/** In milliseconds: an attempt ends long before its job counts as lost (LOST_AFTER_SECONDS). */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

/** Sends mails by SMTP. */
class SmtpTransport implements MailTransport {
  private transporter: Transporter | undefined;

  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {}

  async deliver(delivery: Delivery): Promise<string | null> {
    const { createTransport } = await mailer();
    this.transporter ??= createTransport({ url: this.url, ...TIMEOUTS });
    const message = { ...compose(delivery, this.from), signal: delivery.signal };
    if (delivery.isDecoy) {
      await createTransport(IN_MEMORY).sendMail(message);
      await this.openSession(this.transporter, delivery.signal);
      return null;
    }
    const { response } = (await this.transporter.sendMail(message).catch((error: unknown) => {
      throw isPermanent(error) ? new Undeliverable(replyOf(error)) : error;
    })) as { response?: string };
    return response ?? null;
  }

  /**
   * Opens a session with the mail server: connection, TLS and sign-in are most of the work of a
   * mail.
   */
  private async openSession(transporter: Transporter, signal: AbortSignal): Promise<void> {
    const opened = new AbortController();
    const aborted = once(signal, 'abort', { signal: opened.signal }).then(() =>
      Promise.reject(new Error('aborted')),
    );
    await Promise.race([transporter.verify(), aborted]).finally(() => opened.abort());
  }

  async forget(): Promise<void> {}
}

/**
 * Writes mails to files; in local development also logs their links. Used without a mail server.
 */
class FileTransport implements MailTransport {
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly folder: MailFolder,
    private readonly from: string,
    private readonly logsLinks: boolean,
  ) {}

  async deliver(delivery: Delivery): Promise<null> {
    const { createTransport } = await mailer();
    const { message } = await createTransport(IN_MEMORY).sendMail(compose(delivery, this.from));
    if (delivery.isDecoy) {
      await this.folder.addDecoy(message as Buffer, delivery.recipientKey);
      return null;
    }
    await this.folder.add(message as Buffer, delivery.recipientKey);
    const { mail } = delivery;
    // A link opens an account: the log of a deployment must not hold it.
    if (this.logsLinks && mail.action) this.logger.log(`${mail.subject}: ${mail.action.url}`);
    return null;
  }

  forget(recipientKey: Buffer): Promise<void> {
    return this.folder.forget(recipientKey);
  }
}

/** Creates the transport that the settings select. */
export function createMailTransport(settings: Settings, folder: MailFolder): MailTransport {
  return settings.SMTP_URL
    ? new SmtpTransport(settings.SMTP_URL.reveal(), settings.MAIL_FROM)
    : new FileTransport(folder, settings.MAIL_FROM, isLocalDevelopment(settings));
}
