import { Inject, Injectable } from '@nestjs/common';
import { TenantOwners } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import { EndpointRepository } from './endpoint.repository.js';
import '../webhook.messages.js';

const TELL_OWNERS = 'webhooks.tell-owners';
const DAY_SECONDS = 86_400;
const MAX_OWNERS = 50;

interface ToTell {
  readonly tenantId: TenantId;
  readonly id: string;
}

/** Tells the owners of an organization that a subscription was disabled. */
@Injectable()
export class EndpointMails {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly owners: TenantOwners,
    private readonly endpoints: EndpointRepository,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Queues the mails in the open transaction. */
  tellOwners(tenantId: TenantId, id: string): Promise<void> {
    return this.jobs.add(TELL_OWNERS, { tenantId, id } satisfies ToTell);
  }

  /** Sends the mails, unless the subscription is enabled again. */
  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId, id }: ToTell): Promise<void> {
    await this.database.transaction(async () => {
      const endpoint = await this.endpoints.find(tenantId, id);
      const found = await this.owners.find(tenantId, MAX_OWNERS);
      if (!found || endpoint?.status !== 'disabled') return;
      const host = new URL(endpoint.url).host;
      for (const { email, locale } of found.owners) {
        const language = localeOf(locale);
        const text = textIn(language);
        const organization = quotedName(found.name) ?? text('mail.webhook-disabled.your-organization');
        await this.outbox.send(
          {
            to: email,
            locale: language,
            ...(found?.look && { look: found.look }),
            subject: text('mail.webhook-disabled.subject'),
            paragraphs: [
              text('mail.webhook-disabled.text', { organization, host }),
              text('mail.webhook-disabled.enable'),
            ],
            action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
          },
          {
            usefulForSeconds: DAY_SECONDS,
            budget: { kind: 'webhook-disabled', mails: 20, periodSeconds: DAY_SECONDS },
          },
        );
      }
    });
  }
}
