import { Injectable } from '@nestjs/common';
import { AccountService, TenantOwners, utcOf } from '../../iam/index.js';
import type { SessionId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import '../session.messages.js';
import type { ImpersonationEntity } from './impersonation.entity.js';
import { ImpersonationRepository } from './impersonation.repository.js';

export const TELL_TASK = 'session.tell-of-impersonation';
const DAY_SECONDS = 86_400;

/** Mails people after an operator has acted as them. */
@Injectable()
export class ImpersonationMails {
  constructor(
    private readonly database: Database,
    private readonly impersonations: ImpersonationRepository,
    private readonly accounts: AccountService,
    private readonly owners: TenantOwners,
    private readonly outbox: Outbox,
  ) {}

  /** Mails the person, by a separate job: not with their account and the operator's locked. */
  @JobHandler({ task: TELL_TASK })
  async tell({ id }: { readonly id: SessionId }): Promise<void> {
    await this.database.transaction(async () => {
      const ended = await this.impersonations.find(id);
      if (ended) await this.send(ended);
    });
  }

  private async send({ userId, tenantId, createdAt, endedAt }: ImpersonationEntity): Promise<void> {
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
