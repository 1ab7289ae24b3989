import { Inject, Injectable } from '@nestjs/common';
import { TenantLimitsService, TenantService } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import { AppError } from '../../platform/errors/index.js';
import '../connection.messages.js';
import { LIFETIME_DAYS } from './setup-link.repository.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** A new link, and the person to whom a member sends it. */
interface MailedLink {
  readonly to: string;
  /** Language of the member, as the receiver's is not known. */
  readonly locale: string | null;
  /** Address of the member. */
  readonly ipAddress: string;
  readonly plainKey: string;
}

/** Sends set-up links. */
@Injectable()
export class SetupLinkMails {
  constructor(
    private readonly outbox: Outbox,
    private readonly tenants: TenantService,
    private readonly limits: TenantLimitsService,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Returns the address of the page for a link. */
  addressOf(plainKey: string): string {
    return `${this.settings.APP_URL}${pathOf(plainKey)}`;
  }

  /**
   * Mails a new link.
   * @throws {AppError} too-many-requests if the address or the organization has used up its budget
   */
  async sendLink(tenantId: TenantId, { to, locale, ipAddress, plainKey }: MailedLink): Promise<void> {
    const { name } = await this.tenants.get(tenantId);
    const budget = {
      kind: 'setup-link',
      mails: 10,
      periodSeconds: HOUR_SECONDS,
      unsolicited: { networkKey: this.outbox.networkKey(to, ipAddress) },
      sender: await this.limits.findBudget(tenantId, to),
    } as const;
    const sent = await this.outbox.trySend(
      { email: to, locale },
      { usefulForSeconds: LIFETIME_DAYS * DAY_SECONDS, budget },
      (text) => {
        const organization = quotedName(name) ?? text('mail.setup-link.an-organization');
        return {
          subject: text('mail.setup-link.subject'),
          paragraphs: [
            text('mail.setup-link.text', { organization }),
            text('mail.setup-link.secret'),
            text('mail.setup-link.unexpected'),
          ],
          action: { label: text('mail.setup-link.open'), path: pathOf(plainKey) },
        };
      },
    );
    if (sent === 'sender-limited') throw await this.limits.mailsUsedUp(tenantId);
    if (sent === 'recipient-limited')
      throw new AppError('too-many-requests', {
        reason: { id: 'setup-link.too-many-mails' },
        retryAfterSeconds: HOUR_SECONDS,
      });
  }
}

const pathOf = (plainKey: string): string => `/setup/${plainKey}`;
