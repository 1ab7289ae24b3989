import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { type Letter, type MailText, Outbox, quotedName } from '../../../platform/mail/index.js';
import { BrandingService } from '../branding/branding.service.js';
import { TenantRepository } from './tenant.repository.js';

const DAY_SECONDS = 86_400;
const MAX_MAILS = 20;

/** Whom a mail is for. An account without an address gets none. */
export interface Receiver {
  readonly email: string | null;
  readonly locale: string | null;
}

/** Budget of the mails of one kind to one address. */
interface KindOfMail {
  readonly kind: string;
  /** Mails in a period. Default: 20. */
  readonly mails?: number | undefined;
  /** Period, for which a mail is also of use. Default: a day. */
  readonly periodSeconds?: number;
}

/** Mails people about an organization, with its look, in the open transaction. */
@Injectable()
export class TenantMails {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly brandings: BrandingService,
    private readonly outbox: Outbox,
  ) {}

  /**
   * Queues a mail to each person.
   * @param write returns the mail by the texts of a language and the organization's name, which
   *   is null if nothing of it can be shown
   */
  async send(
    tenantId: TenantId,
    receivers: readonly Receiver[],
    { kind, mails = MAX_MAILS, periodSeconds = DAY_SECONDS }: KindOfMail,
    write: (text: MailText, organization: string | null) => Letter,
  ): Promise<void> {
    const organization = quotedName((await this.tenants.find(tenantId))?.name ?? '');
    const look = await this.brandings.lookOfMails(tenantId);
    for (const { email, locale } of receivers)
      if (email !== null)
        await this.outbox.send(
          { email, locale, look },
          { usefulForSeconds: periodSeconds, budget: { kind, mails, periodSeconds } },
          (text) => write(text, organization),
        );
  }
}
