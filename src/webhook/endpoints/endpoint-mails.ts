import { Injectable } from '@nestjs/common';
import { OperatorService, TenantOwners } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { type MailLook, type MailText, Outbox, quotedName } from '../../platform/mail/index.js';
import { MANAGE } from '../webhook.declarations.js';
import { EndpointRepository } from './endpoint.repository.js';
import '../webhook.messages.js';

const TELL_OWNERS = 'webhooks.tell-owners';
const DAY_SECONDS = 86_400;
const MAX_OWNERS = 50;

interface ToTell {
  readonly tenantId: TenantId;
  readonly id: string;
}

/** Whom a mail is for, and what it says. */
interface MailPlan {
  readonly recipients: readonly { readonly email: string; readonly locale: string | null }[];
  readonly look?: MailLook | undefined;
  readonly describe: (text: MailText, host: string) => string;
}

/** Tells the owners of an organization, or the operators, that a subscription was disabled. */
@Injectable()
export class EndpointMails {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly owners: TenantOwners,
    private readonly operators: OperatorService,
    private readonly endpoints: EndpointRepository,
    private readonly outbox: Outbox,
  ) {}

  /** Queues the mails in the open transaction. */
  queue(tenantId: TenantId, id: string): Promise<void> {
    return this.jobs.add(TELL_OWNERS, { tenantId, id } satisfies ToTell);
  }

  /** Sends the mails, unless the subscription is enabled again. */
  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId, id }: ToTell): Promise<void> {
    await this.database.transaction(async () => {
      const endpoint = await this.endpoints.find(tenantId, id);
      const addressed = await this.findAddressed(tenantId);
      if (!addressed || endpoint?.status !== 'disabled') return;
      const { recipients, look, describe } = addressed;
      const host = new URL(endpoint.url).host;
      for (const { email, locale } of recipients)
        await this.outbox.send(
          { email, locale, look },
          {
            usefulForSeconds: DAY_SECONDS,
            budget: { kind: 'webhook-disabled', mails: 20, periodSeconds: DAY_SECONDS },
          },
          (text) => ({
            subject: text('mail.webhook-disabled.subject'),
            paragraphs: [describe(text, host), text('mail.webhook-disabled.enable')],
          }),
        );
    });
  }

  /** @returns null for an organization that no longer exists */
  private async findAddressed(tenantId: TenantId): Promise<MailPlan | null> {
    if (tenantId === PLATFORM)
      return {
        recipients: await this.operators.listAdminAddresses(MANAGE),
        describe: (text, host) => text('mail.webhook-disabled.of-platform', { host }),
      };
    const found = await this.owners.find(tenantId, MAX_OWNERS);
    if (!found) return null;
    const { name, owners, look } = found;
    return {
      recipients: owners,
      look,
      describe: (text, host) => {
        const organization = quotedName(name) ?? text('mail.webhook-disabled.your-organization');
        return text('mail.webhook-disabled.text', { organization, host });
      },
    };
  }
}
