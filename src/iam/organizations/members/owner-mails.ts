import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Outbox, quotedName } from '../../../platform/mail/index.js';
import { localeOf, textIn } from '../../../platform/messages/index.js';
import { TenantOwners } from './tenant-owners.js';
import '../organization.messages.js';

const DAY_SECONDS = 86_400;
const MAX_OWNERS = 50;
const MAILS_A_DAY = 20;

/** What a mail says, in the language of its owner. */
interface OwnerMail {
  readonly subject: string;
  readonly paragraphs: readonly string[];
}

interface KindOfMail {
  /** Name of the budget. */
  readonly kind: string;
  /** Mails of this kind to one owner in a day. */
  readonly mailsADay?: number;
}

/** Mails all owners of an organization about it, in the transaction of a job. */
@Injectable()
export class OwnerMails {
  constructor(
    private readonly owners: TenantOwners,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Queues a mail to each owner, with a link to the app. Sends none about an unknown organization.
   * @param write returns the mail by the texts of a language and the name of the organization
   */
  async send(
    tenantId: TenantId,
    { kind, mailsADay = MAILS_A_DAY }: KindOfMail,
    write: (text: ReturnType<typeof textIn>, organization: string) => OwnerMail,
  ): Promise<void> {
    const found = await this.owners.find(tenantId, MAX_OWNERS);
    for (const { email, locale } of found?.owners ?? []) {
      const language = localeOf(locale);
      const text = textIn(language);
      const organization = quotedName(found?.name ?? '') ?? text('mail.support-access.your-organization');
      await this.outbox.send(
        {
          to: email,
          locale: language,
          ...(found?.look && { look: found.look }),
          ...write(text, organization),
          action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
        },
        {
          usefulForSeconds: DAY_SECONDS,
          budget: { kind, mails: mailsADay, periodSeconds: DAY_SECONDS },
        },
      );
    }
  }
}
