import { Injectable } from '@nestjs/common';
import { Outbox, quotedName } from '../../../../platform/mail/index.js';
import type { TenantId, UserId } from '../../../../kernel/index.js';
import { AccountRepository } from '../../../accounts/account.repository.js';
import { BrandingService } from '../../branding/branding.service.js';
import { TenantRepository } from '../tenant.repository.js';
import '../../organization.messages.js';

const DAY_SECONDS = 86_400;

interface Receiver {
  readonly email: string | null;
  readonly locale: string | null;
}

/** Tells both persons of a transfer of ownership. */
@Injectable()
export class OwnershipMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly brandings: BrandingService,
    private readonly tenants: TenantRepository,
    private readonly accounts: AccountRepository,
  ) {}

  /** Tells the former owner, and the new one. */
  async tell(tenantId: TenantId, from: UserId, to: Receiver): Promise<void> {
    const tenant = { id: tenantId, name: (await this.tenants.find(tenantId))?.name ?? '' };
    const previous = await this.accounts.find(from);
    if (previous) await this.send(previous, 'mail.ownership-transferred', tenant);
    await this.send(to, 'mail.ownership-received', tenant);
  }

  /** Sends one of the two mails; none to an account without an address. */
  private async send(
    { email, locale }: Receiver,
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
