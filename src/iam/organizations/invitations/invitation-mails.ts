import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { type Letter, type MailText, Outbox, pathWithToken } from '../../../platform/mail/index.js';
import { BrandingService } from '../branding/branding.service.js';
import { TenantLimitsService } from '../limits/tenant-limits.service.js';
import { TenantService } from '../tenants/tenant.service.js';
import '../organization.messages.js';

/** Organization name that is safe in a mail: no address, no link, no telephone number. */
const SAFE_NAME = /^(?!(?:.*\p{N}){5})[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} &'-]{0,59}$/u;
const HOUR_SECONDS = 3_600;
/** Seconds for which an invitation is open. */
export const INVITATION_SECONDS = 7 * 24 * HOUR_SECONDS;

/** Whether a mail is sent, or why it is not. */
type Sent = Awaited<ReturnType<Outbox['trySend']>>;

/** Whom an invitation is mailed to. */
export interface Invited {
  readonly email: string;
  /** Language of the mail (BCP 47); null for the default. */
  readonly locale: string | null;
  /** Address of the caller; null for a directory. */
  readonly ipAddress: string | null;
}

/** Sends the mails of invitations, within the limits of the organization. */
@Injectable()
export class InvitationMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly tenants: TenantService,
    private readonly brandings: BrandingService,
    private readonly limits: TenantLimitsService,
  ) {}

  /**
   * Sends an invitation that is one more of the organization. Call it once it is written.
   * @throws {AppError} conflict if too many addresses have one; as {@link send}
   */
  async sendFurther(tenantId: TenantId, to: Invited, plainToken: string): Promise<void> {
    if (await this.limits.hasTooManyInvitations(tenantId))
      throw await this.limits.invitationsUsedUp(tenantId);
    await this.send(tenantId, to, plainToken);
  }

  /**
   * Sends an invitation.
   * @throws {AppError} too-many-requests if the address or the organization has used up its budget
   */
  async send(tenantId: TenantId, to: Invited, plainToken: string): Promise<void> {
    await this.requireSent(tenantId, await this.trySend(tenantId, to, plainToken));
  }

  /**
   * Sends a mail that its receiver has not asked for, in the budgets of invitations.
   * @throws {AppError} as {@link send}
   */
  async sendUnsolicited(
    tenantId: TenantId,
    to: Invited,
    usefulForSeconds: number,
    write: (text: MailText) => Letter,
  ): Promise<void> {
    await this.requireSent(tenantId, await this.trySendUnsolicited(tenantId, to, usefulForSeconds, write));
  }

  /** Sends as {@link sendFurther} does. @returns false if a limit leaves it for later */
  async trySendFurther(tenantId: TenantId, to: Invited, plainToken: string): Promise<boolean> {
    if (await this.limits.hasTooManyInvitations(tenantId)) return false;
    return (await this.trySend(tenantId, to, plainToken)) === 'sent';
  }

  /**
   * Sends an invitation. Leaves out an organization name that is not {@link SAFE_NAME}, so that an
   * attacker cannot write text into mails by naming an organization.
   * @returns why it is not sent, if not
   */
  private async trySend(tenantId: TenantId, to: Invited, plainToken: string): Promise<Sent> {
    const { name } = await this.tenants.get(tenantId);
    return this.trySendUnsolicited(tenantId, to, INVITATION_SECONDS, (text) => ({
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
    }));
  }

  private async trySendUnsolicited(
    tenantId: TenantId,
    { email, locale, ipAddress }: Invited,
    usefulForSeconds: number,
    write: (text: MailText) => Letter,
  ): Promise<Sent> {
    const look = await this.brandings.lookOfMails(tenantId);
    const sender = await this.limits.findBudget(tenantId, email);
    const networkKey = ipAddress === null ? null : this.outbox.networkKey(email, ipAddress);
    const unsolicited = { networkKey };
    const budget = { kind: 'invitation', mails: 10, periodSeconds: HOUR_SECONDS, unsolicited, sender };
    return this.outbox.trySend({ email, locale, look }, { usefulForSeconds, budget }, write);
  }

  private async requireSent(tenantId: TenantId, sent: Sent): Promise<void> {
    if (sent === 'sender-limited') throw await this.limits.mailsUsedUp(tenantId);
    if (sent === 'recipient-limited')
      throw new AppError('too-many-requests', {
        reason: { id: 'invitation.too-many' },
        retryAfterSeconds: HOUR_SECONDS,
      });
  }
}
