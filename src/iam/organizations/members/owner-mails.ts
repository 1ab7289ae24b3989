import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { type Letter, type MailText, Outbox, quotedName } from '../../../platform/mail/index.js';
import { TenantOwners } from './tenant-owners.js';
import '../organization.messages.js';

const DAY_SECONDS = 86_400;
const MAX_OWNERS = 50;
const MAILS_A_DAY = 20;

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
  ) {}

  /**
   * Queues a mail to each owner. Sends none about an unknown organization.
   * @param write returns the mail by the texts of a language and the name of the organization
   */
  async send(
    tenantId: TenantId,
    { kind, mailsADay = MAILS_A_DAY }: KindOfMail,
    write: (text: MailText, organization: string) => Letter,
  ): Promise<void> {
    const found = await this.owners.find(tenantId, MAX_OWNERS);
    const name = quotedName(found?.name ?? '');
    for (const { email, locale } of found?.owners ?? [])
      await this.outbox.send(
        { email, locale, look: found?.look },
        {
          usefulForSeconds: DAY_SECONDS,
          budget: { kind, mails: mailsADay, periodSeconds: DAY_SECONDS },
        },
        (text) => write(text, name ?? text('mail.support-access.your-organization')),
      );
  }
}
