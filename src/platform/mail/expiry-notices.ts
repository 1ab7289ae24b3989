import { Injectable } from '@nestjs/common';
import type { Addressee, Letter, MailText } from './letter.js';
import { Outbox } from './outbox.js';

const DAY_SECONDS = 86_400;
/** Mails of one kind to one address in a day. */
const MAX_PER_DAY = 20;

/** Sends mails that warn of something that ends on a day, such as a certificate or a key. */
@Injectable()
export class ExpiryNotices {
  constructor(private readonly outbox: Outbox) {}

  /**
   * Queues a notice in the open transaction.
   * @param kind of the budget
   * @param write gets the texts and the date in the language of the recipient
   */
  async send(
    to: Addressee,
    kind: string,
    endsAt: Date,
    write: (text: MailText, date: string) => Letter,
  ): Promise<void> {
    await this.outbox.send(
      to,
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind, mails: MAX_PER_DAY, periodSeconds: DAY_SECONDS },
      },
      (text, language) => {
        const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' });
        return write(text, format.format(endsAt));
      },
    );
  }
}
