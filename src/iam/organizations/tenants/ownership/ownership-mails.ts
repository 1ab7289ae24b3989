import { Injectable } from '@nestjs/common';
import { Outbox, quotedName } from '../../../../platform/mail/index.js';
import type { TenantId } from '../../../../kernel/index.js';
import { BrandingService } from '../../branding/branding.service.js';
import '../../organization.messages.js';

const DAY_SECONDS = 86_400;

/** Tells both persons of a transfer of ownership. */
@Injectable()
export class OwnershipMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly brandings: BrandingService,
  ) {}

  /** Sends one of the two mails; none to an account without an address. */
  async send(
    { email, locale }: { readonly email: string | null; readonly locale: string | null },
    kind: 'mail.ownership-transferred' | 'mail.ownership-received',
    { id, name }: { readonly id: TenantId; readonly name: string },
  ): Promise<void> {
    if (email === null) return;
    const organization = quotedName(name);
    const look = await this.brandings.lookOfMails(id);
    await this.outbox.send(
      { email, locale, look },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'ownership', mails: 20, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text(`${kind}.subject`),
        paragraphs: [
          organization === null ? text(`${kind}.without-name`) : text(`${kind}.done`, { organization }),
          text(`${kind}.what-now`),
        ],
      }),
    );
  }
}
