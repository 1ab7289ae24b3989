import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { localeOf, textIn } from '../messages/index.js';
import type { MailLook } from './mail-template.js';
import { Outbox } from './outbox.js';

const DAY_SECONDS = 86_400;
/** Mails of one kind to one address in a day. */
const MAX_PER_DAY = 20;

/** Who is warned. */
interface Recipient {
  readonly email: string;
  readonly locale: string | null;
  /** Look of the organization for which they are warned; that of the service without one. */
  readonly look?: MailLook | null | undefined;
}

/** What a notice says, in the language of the recipient. */
interface Notice {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

/** Sends mails that warn of something that ends on a day, such as a certificate or a key. */
@Injectable()
export class ExpiryNotices {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Queues a notice in the open transaction.
   * @param kind of the budget
   * @param write gets the texts and the date in the language of the recipient
   */
  async send(
    { email, locale, look }: Recipient,
    kind: string,
    endsAt: Date,
    write: (text: ReturnType<typeof textIn>, date: string) => Notice,
  ): Promise<void> {
    const language = localeOf(locale);
    const text = textIn(language);
    const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(endsAt);
    await this.outbox.send(
      {
        to: email,
        locale: language,
        ...(look && { look }),
        ...write(text, date),
        action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
      },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind, mails: MAX_PER_DAY, periodSeconds: DAY_SECONDS },
      },
    );
  }
}
