import { Injectable } from '@nestjs/common';
import { type MailLook, Outbox, pathWithToken, type SenderBudget } from '../../../platform/mail/index.js';
import '../organization.messages.js';

/** Organization name that is safe in a mail: no address, no link, no telephone number. */
const SAFE_NAME = /^(?!(?:.*\p{N}){5})[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} &'-]{0,59}$/u;
const HOUR_SECONDS = 3_600;

/** The organization, as its mails show it. */
interface InvitingTenant {
  readonly name: string;
  readonly look: MailLook | undefined;
  /** Budget that the mail counts for; null inside its domains. */
  readonly budget: SenderBudget | null;
}

interface Invited {
  readonly email: string;
  readonly locale: string | null;
  /** Address of the caller; null for a directory. */
  readonly ipAddress: string | null;
}

/** Sends the mails of invitations. */
@Injectable()
export class InvitationMails {
  constructor(private readonly outbox: Outbox) {}

  /**
   * Sends an invitation. Leaves out an organization name that is not {@link SAFE_NAME}, so that an
   * attacker cannot write text into mails by naming an organization.
   * @returns why it is not sent, if not
   */
  sendInvitation(
    { email, locale, ipAddress }: Invited,
    { name, look, budget }: InvitingTenant,
    plainToken: string,
    lifetimeSeconds: number,
  ): ReturnType<Outbox['trySend']> {
    const networkKey = ipAddress === null ? null : this.outbox.networkKey(email, ipAddress);
    return this.outbox.trySend(
      { email, locale, look },
      {
        usefulForSeconds: lifetimeSeconds,
        budget: {
          kind: 'invitation',
          mails: 10,
          periodSeconds: HOUR_SECONDS,
          unsolicited: { networkKey },
          sender: budget,
        },
      },
      (text) => ({
        subject: text('mail.invitation.subject'),
        paragraphs: [
          SAFE_NAME.test(name)
            ? text('mail.invitation.invited', { organization: `\u201c${name}\u201d` })
            : text('mail.invitation.invited-without-name'),
          text('mail.invitation.unexpected'),
        ],
        action: {
          label: text('mail.invitation.accept'),
          path: pathWithToken('accept-invitation', plainToken),
        },
      }),
    );
  }
}
