import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { Outbox, pathWithToken } from '../../../platform/mail/index.js';
import { BrandingService } from '../branding/branding.service.js';
import { TenantLimitsService } from '../limits/tenant-limits.service.js';
import { TenantService } from '../tenants/tenant.service.js';
import '../organization.messages.js';

/** Organization name that is safe in a mail: no address, no link, no telephone number. */
const SAFE_NAME = /^(?!(?:.*\p{N}){5})[\p{L}\p{M}\p{N}][\p{L}\p{M}\p{N} &'-]{0,59}$/u;
const HOUR_SECONDS = 3_600;
/** Seconds for which an invitation is open. */
export const INVITATION_SECONDS = 7 * 24 * HOUR_SECONDS;

interface Invited {
  readonly email: string;
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
    const sent = await this.trySend(tenantId, to, plainToken);
    if (sent === 'sender-limited') throw await this.limits.mailsUsedUp(tenantId);
    if (sent === 'recipient-limited')
      throw new AppError('too-many-requests', {
        reason: { id: 'invitation.too-many' },
        retryAfterSeconds: HOUR_SECONDS,
      });
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
  private async trySend(
    tenantId: TenantId,
    { email, locale, ipAddress }: Invited,
    plainToken: string,
  ): ReturnType<Outbox['trySend']> {
    const { name } = await this.tenants.get(tenantId);
    const look = await this.brandings.lookOfMails(tenantId);
    const budget = await this.limits.findBudget(tenantId, email);
    const networkKey = ipAddress === null ? null : this.outbox.networkKey(email, ipAddress);
    return this.outbox.trySend(
      { email, locale, look },
      {
        usefulForSeconds: INVITATION_SECONDS,
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
