import { once } from 'node:events';
import { domainToASCII } from 'node:url';
import { Logger } from '@nestjs/common';
import type { Transporter } from 'nodemailer';
import { isLocalDevelopment, type Settings } from '../config/index.js';
import { MailFolder } from './mail-folder.js';
import { renderHtml, renderText } from './mail-template.js';
import type { OutgoingMail } from './outbox.js';

/** The mail server will never take this mail: there is no such mailbox, or it refuses what the mail says. */
export class Undeliverable extends Error {}

/** One try to hand a mail over. */
interface Delivery {
  /** The same at every try. */
  readonly id: string;
  readonly mail: OutgoingMail;
  readonly recipientKey: Buffer;
  /** Breaks the try off. */
  readonly signal: AbortSignal;
  /** Does the same work and mails nobody. */
  readonly isDecoy: boolean;
}

/** Carries one mail out of the service. */
export interface MailTransport {
  /** @throws when the mail was not handed over and should be tried again; {@link Undeliverable} when it should not */
  deliver(delivery: Delivery): Promise<void>;
  /** Removes what the transport itself keeps of a recipient. */
  forget(recipientKey: Buffer): Promise<void>;
}

export const MAIL_TRANSPORT = Symbol('mailTransport');

/** As typed, but with the domain in the ASCII form, which mail servers without SMTPUTF8 take as well. */
function deliverable(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + domainToASCII(address.slice(at));
}

/** A mail that was sent, but whose receipt was lost, is sent again: by its id a mailbox can tell that it is the same (RFC 5322 section 3.6.4). */
const compose = ({ id, mail }: Delivery, from: string) => ({
  messageId: `<${id.toLowerCase()}@${domainToASCII(from.slice(from.lastIndexOf('@') + 1))}>`,
  from: { name: 'Gatehouse', address: from },
  to: { name: '', address: deliverable(mail.to) },
  subject: mail.subject,
  text: renderText(mail),
  html: renderHtml(mail),
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
});

/** A 5yz reply (RFC 5321 section 4.2.1) about recipient or content. One about ourselves, such as a wrong password, is for the operator to mend. */
function isFinal(error: unknown): boolean {
  const { responseCode = 0, command } = error as { responseCode?: number; command?: string };
  return responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA');
}

/** The library, loaded with the first mail. */
const mailer = () => import('nodemailer');

/** The library's transport that makes a message and sends it nowhere. */
const IN_MEMORY = { streamTransport: true, buffer: true, newline: 'unix' };

/** A server that hangs is left after them, so that a try ends long before its job counts as lost (LOST_AFTER_SECONDS). */
const TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

/** Sends by SMTP. */
class SmtpTransport implements MailTransport {
  private transporter: Transporter | undefined;

  constructor(
    private readonly url: string,
    private readonly from: string,
  ) {}

  async deliver(delivery: Delivery): Promise<void> {
    const { createTransport } = await mailer();
    this.transporter ??= createTransport({ url: this.url, ...TIMEOUTS });
    const message = { ...compose(delivery, this.from), signal: delivery.signal };
    if (delivery.isDecoy) {
      await createTransport(IN_MEMORY).sendMail(message);
      return this.greet(this.transporter, delivery.signal);
    }
    await this.transporter.sendMail(message).catch((error: unknown) => {
      throw isFinal(error) ? new Undeliverable() : error;
    });
  }

  /** A session with the mail server up to the mail: connection, TLS and sign-in are most of the work of sending one. */
  private async greet(transporter: Transporter, signal: AbortSignal): Promise<void> {
    const greeted = new AbortController();
    const broken = once(signal, 'abort', { signal: greeted.signal }).then(() =>
      Promise.reject(new Error('broken off')),
    );
    await Promise.race([transporter.verify(), broken]).finally(() => greeted.abort());
  }

  async forget(): Promise<void> {}
}

/** The default without a mail server: each mail becomes a file; in local development its link is a log line as well. */
class FileTransport implements MailTransport {
  private readonly logger = new Logger('Mail');

  constructor(
    private readonly folder: MailFolder,
    private readonly from: string,
    private readonly logsLinks: boolean,
  ) {}

  async deliver(delivery: Delivery): Promise<void> {
    const { createTransport } = await mailer();
    const { message } = await createTransport(IN_MEMORY).sendMail(compose(delivery, this.from));
    if (delivery.isDecoy) return this.folder.addDecoy(message as Buffer, delivery.recipientKey);
    await this.folder.add(message as Buffer, delivery.recipientKey);
    const { mail } = delivery;
    // A link opens an account: whoever may read the log of a deployment may not have it.
    if (this.logsLinks && mail.action) this.logger.log(`${mail.subject}: ${mail.action.url}`);
  }

  forget(recipientKey: Buffer): Promise<void> {
    return this.folder.forget(recipientKey);
  }
}

/** The transport that the settings ask for. */
export function createMailTransport(settings: Settings, folder: MailFolder): MailTransport {
  return settings.SMTP_URL
    ? new SmtpTransport(settings.SMTP_URL.reveal(), settings.MAIL_FROM)
    : new FileTransport(folder, settings.MAIL_FROM, isLocalDevelopment(settings));
}
