import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Outbox } from '../../../platform/mail/index.js';

/** Organization name that is safe in a mail: no address, no link, no telephone number. */
const SAFE_NAME = /^(?!(?:.*\p{N}){5})[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} &'-]{0,59}$/u;
const HOUR_SECONDS = 3_600;

/** Sends the mails of invitations. */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Sends an invitation. Leaves out an organization name that is not {@link SAFE_NAME}, so that an
   * attacker cannot write text into mails by naming an organization.
   * @returns false if the address has used up its budget
   */
  sendInvitation(
    to: string,
    tenantName: string,
    plainToken: string,
    lifetimeSeconds: number,
  ): Promise<boolean> {
    const where = SAFE_NAME.test(tenantName)
      ? `the organization \u201c${tenantName}\u201d`
      : 'an organization';
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
