import { Inject, Injectable } from '@nestjs/common';
import { AccountService, TenantOwners, utcOf } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import '../session.messages.js';
import type { ImpersonationEntity } from './impersonation.entity.js';

const DAY_SECONDS = 86_400;

/** Mails people after an operator has acted as them. */
@Injectable()
export class ImpersonationMails {
  constructor(
    private readonly accounts: AccountService,
    private readonly owners: TenantOwners,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Mails the person, once the impersonation has ended. Joins the open transaction. */
  async tell({ userId, tenantId, createdAt, endedAt }: ImpersonationEntity): Promise<void> {
    const account = await this.accounts.findForShare(userId);
    if (!account || account.email === null) return;
    const locale = localeOf(account.locale);
    const text = textIn(locale);
    const found = await this.owners.find(tenantId, 1);
    const organization = quotedName(found?.name ?? '') ?? text('mail.impersonation.your-organization');
    const times = { from: utcOf(createdAt), to: utcOf(endedAt ?? createdAt) };
    await this.outbox.send(
      {
        to: account.email,
        locale,
        subject: text('mail.impersonation.subject'),
        paragraphs: [
          text('mail.impersonation.text', { organization, ...times }),
          text('mail.impersonation.trail'),
        ],
        action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
      },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'impersonation', mails: 100, periodSeconds: DAY_SECONDS },
      },
    );
  }
}
