import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Outbox } from '../../../platform/mail/index.js';

/** A name that cannot be taken for anything else: no address, no link, no sentence. */
const SAFE_NAME = /^[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} &'-]{0,59}$/u;
const HOUR_SECONDS = 3_600;

/** The mail that brings an invitation. */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Answers false where the address has had its share. Whoever names an organization does not write our mails: an odd name is left out. */
  sendInvitation(
    to: string,
    tenantName: string,
    plainToken: string,
    lifetimeSeconds: number,
  ): Promise<boolean> {
    const where = SAFE_NAME.test(tenantName) ? `the organization ${tenantName}` : 'an organization';
    return this.outbox.send(
      {
        to,
        subject: 'You have been invited',
        paragraphs: [
          `You have been invited to ${where}. Sign in with this e-mail address, or register an account for it first, then accept within seven days.`,
          'If you did not expect it, ignore this mail.',
        ],
        action: {
          label: 'Accept the invitation',
          url: `${this.settings.APP_URL}/accept-invitation?token=${plainToken}`,
        },
      },
      {
        usefulForSeconds: lifetimeSeconds,
        budget: { kind: 'invitation', mails: 10, periodSeconds: HOUR_SECONDS },
      },
    );
  }
}
