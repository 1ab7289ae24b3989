import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { JobQueue } from '../jobs/index.js';
import { MailLinks } from './mail-links.js';
import { type MailRecord, MailRecords } from './mail-records.js';
import { SEND_MAIL } from './outbox.js';
import { OutgoingMailRepository } from './outgoing-mail.repository.js';

/** Mails of one kind to one recipient within an hour, after which none is sent again. */
const MAX_OF_KIND = 5;
/** Outcome of {@link RecipientMails.resend}. */
type Resent = 'sent' | 'unknown' | 'unavailable' | 'void' | 'limited';

/** Lists, sends again and removes the mails to an address. */
@Injectable()
export class RecipientMails {
  constructor(
    private readonly database: Database,
    private readonly mails: OutgoingMailRepository,
    private readonly records: MailRecords,
    private readonly links: MailLinks,
    private readonly jobs: JobQueue,
  ) {}

  /** Lists what became of the mails to an address in the last thirty days, newest first. */
  async list(address: string, limit: number): Promise<MailRecord[]> {
    const records = await this.records.list(this.mails.recipientKeys(address), limit);
    const sent = await this.mails.findSent(records.flatMap(({ id, canResend }) => (canResend ? [id] : [])));
    const checked: MailRecord[] = [];
    for (const record of records) {
      const mail = sent.get(record.id);
      const canResend = mail != null && (await this.links.isOfUse(record.kind, mail));
      checked.push({ ...record, canResend });
    }
    return checked;
  }

  /**
   * Queues a mail again that was sent or refused, as its own mail that expires when the first
   * one does. It counts for the budget of its kind.
   * @returns `unknown` for a mail to another recipient, `unavailable` for one that waits, has
   *   expired or was withdrawn, `void` for one whose link has no effect any more, `limited` after
   *   five of its kind within an hour
   */
  resend(id: string, address: string): Promise<Resent> {
    const recipientKeys = this.mails.recipientKeys(address);
    return this.database.transaction(async () => {
      const sent = await this.mails.findSentForUpdate(id, recipientKeys);
      if (!sent) return (await this.records.has(id, recipientKeys)) ? 'unavailable' : 'unknown';
      const { recipient, kind, content } = sent;
      if (content === null) return 'unavailable';
      if (!(await this.links.isOfUse(kind, content))) return 'void';
      await this.mails.lockRecipientForUpdate(recipient);
      const share = { kind, mails: MAX_OF_KIND, periodSeconds: 3_600 };
      if (await this.mails.isUsedUp(recipient, share)) return 'limited';
      await this.jobs.add(SEND_MAIL, { id: await this.mails.insertCopy(id), attempt: 1 });
      return 'sent';
    });
  }

  /** Deletes the mails of these kinds. */
  async forget(address: string, kinds: readonly string[]): Promise<void> {
    const recipientKeys = this.mails.recipientKeys(address);
    await this.mails.delete(recipientKeys, kinds);
    await this.records.forget(recipientKeys, kinds);
  }

  /** Deletes the content of mails of these kinds, so that they are not sent, or sent again. */
  async withdraw(address: string, kinds: readonly string[]): Promise<void> {
    await this.mails.deleteContent(this.mails.recipientKeys(address), kinds);
  }
}
