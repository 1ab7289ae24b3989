import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { type Letter, type MailText, quotedName } from '../../../platform/mail/index.js';
import { InvitationMails } from '../invitations/invitation-mails.js';
import { OwnerMails } from '../members/owner-mails.js';
import '../organization.messages.js';

const TELL_PARTNER = 'iam.tell-partner';
const OFFER_SECONDS = 14 * 24 * 3_600;

interface ToTell {
  readonly partnerId: TenantId | null;
  /** Name of the host. */
  readonly host: string;
}

/** Mails offers of partnerships. */
@Injectable()
export class PartnershipMails {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly owners: OwnerMails,
    private readonly invitations: InvitationMails,
  ) {}

  /**
   * Mails an address that its organization is offered access. The mail has no secret: the offer is
   * for the account of the address.
   * @throws {AppError} too-many-requests
   */
  async tellAddress(
    tenantId: TenantId,
    host: string,
    to: { readonly email: string; readonly locale: string | null; readonly ipAddress: string },
  ): Promise<void> {
    await this.invitations.sendUnsolicited(tenantId, to, OFFER_SECONDS, (text) => mailOf(text, host));
  }

  /**
   * Queues the mails to the owners of a partner. A job sends them, so that neither the time nor the
   * budgets of the request tell whether an organization has the slug.
   * @param partnerId null for an unknown slug
   */
  tellOwners(partnerId: TenantId | null, host: string): Promise<void> {
    return this.jobs.add(TELL_PARTNER, { partnerId, host } satisfies ToTell);
  }

  @JobHandler({ task: TELL_PARTNER })
  async tell({ partnerId, host }: ToTell): Promise<void> {
    if (partnerId === null) return;
    await this.database.transaction(() =>
      this.owners.send(partnerId, { kind: 'partnership' }, (text) => mailOf(text, host)),
    );
  }
}

function mailOf(text: MailText, host: string): Letter {
  const organization = quotedName(host) ?? text('mail.access-ending.an-organization');
  return {
    subject: text('mail.partnership.subject'),
    paragraphs: [
      text('mail.partnership.offered', { organization }),
      text('mail.partnership.what-now'),
      text('mail.invitation.unexpected'),
    ],
  };
}
