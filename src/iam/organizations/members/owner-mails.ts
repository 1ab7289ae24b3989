import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import type { Letter, MailText } from '../../../platform/mail/index.js';
import { TenantDeletionRepository } from '../tenants/deletion/tenant-deletion.repository.js';
import { TenantMails } from '../tenants/tenant-mails.js';
import '../organization.messages.js';

const MAX_OWNERS = 50;

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
    private readonly deletions: TenantDeletionRepository,
    private readonly mails: TenantMails,
  ) {}

  /**
   * Queues a mail to each owner. Sends none about an unknown organization.
   * @param write returns the mail by the texts of a language and the name of the organization
   */
  async send(
    tenantId: TenantId,
    { kind, mailsADay }: KindOfMail,
    write: (text: MailText, organization: string) => Letter,
  ): Promise<void> {
    const owners = await this.deletions.listOwners(tenantId, '', MAX_OWNERS);
    await this.mails.send(tenantId, owners, { kind, mails: mailsADay }, (text, organization) =>
      write(text, organization ?? text('mail.support-access.your-organization')),
    );
  }
}
