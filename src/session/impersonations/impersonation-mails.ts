import { Injectable } from '@nestjs/common';
import { AccountService, TenantOwners, utcOf } from '../../iam/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
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
  ) {}

  /** Mails the person, once the impersonation has ended. Joins the open transaction. */
  async tell({ userId, tenantId, createdAt, endedAt }: ImpersonationEntity): Promise<void> {
    const account = await this.accounts.findForShare(userId);
    if (!account || account.email === null) return;
    const organization = quotedName((await this.owners.find(tenantId, 1))?.name ?? '');
    const times = { from: utcOf(createdAt), to: utcOf(endedAt ?? createdAt) };
    await this.outbox.send(
      { email: account.email, locale: account.locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'impersonation', mails: 100, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text('mail.impersonation.subject'),
        paragraphs: [
          text('mail.impersonation.text', {
            organization: organization ?? text('mail.impersonation.your-organization'),
            ...times,
          }),
          text('mail.impersonation.trail'),
        ],
      }),
    );
  }
}
