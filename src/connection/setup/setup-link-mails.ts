import { Inject, Injectable } from '@nestjs/common';
import { TenantLimitsService, TenantService } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox, quotedName, type SenderBudget } from '../../platform/mail/index.js';
import { AppError } from '../../platform/errors/index.js';
import '../connection.messages.js';
import { LIFETIME_DAYS } from './setup-link.repository.js';

const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Address of a link, for the person whom the organization names. */
interface MailedLink {
  readonly to: string;
  /** Language of the member who sends it: that of the receiver is not known. */
  readonly locale: string | null;
  readonly organization: string;
  readonly plainKey: string;
  readonly usefulForSeconds: number;
  /** Address of the member who sends it. */
  readonly ipAddress: string;
  /** Budget that it counts for; null inside the domains of the organization. */
  readonly budget: SenderBudget | null;
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
  async sendLink(
    tenantId: TenantId,
    mail: Pick<MailedLink, 'to' | 'locale' | 'ipAddress' | 'plainKey'>,
  ): Promise<void> {
    const { name: organization } = await this.tenants.get(tenantId);
    const usefulForSeconds = LIFETIME_DAYS * DAY_SECONDS;
    const budget = await this.limits.findBudget(tenantId, mail.to);
    const sent = await this.send({ ...mail, organization, usefulForSeconds, budget });
    if (sent === 'sender-limited') throw await this.limits.mailsUsedUp(tenantId);
    if (sent === 'recipient-limited')
      throw new AppError('too-many-requests', {
        reason: { id: 'setup-link.too-many-mails' },
        retryAfterSeconds: HOUR_SECONDS,
      });
  }

  /** @returns why it is not sent, if not */
  private send(link: MailedLink): ReturnType<Outbox['trySend']> {
    const { to, locale, organization, plainKey, usefulForSeconds } = link;
    return this.outbox.trySend(
      { email: to, locale },
      {
        usefulForSeconds,
        budget: {
          kind: 'setup-link',
          mails: 10,
          periodSeconds: HOUR_SECONDS,
          unsolicited: { networkKey: this.outbox.networkKey(to, link.ipAddress) },
          sender: link.budget,
        },
      },
      (text) => ({
        subject: text('mail.setup-link.subject'),
        paragraphs: [
          text('mail.setup-link.text', {
            organization: quotedName(organization) ?? text('mail.setup-link.an-organization'),
          }),
          text('mail.setup-link.secret'),
          text('mail.setup-link.unexpected'),
        ],
        action: { label: text('mail.setup-link.open'), path: pathOf(plainKey) },
      }),
    );
  }
}

const pathOf = (plainKey: string): string => `/setup/${plainKey}`;
