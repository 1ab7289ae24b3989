import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Database } from '../../../platform/database/index.js';
import { JobHandler } from '../../../platform/jobs/index.js';
import { Outbox, quotedName } from '../../../platform/mail/index.js';
import { localeOf, textIn } from '../../../platform/messages/index.js';
import { TenantOwners } from '../members/tenant-owners.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import '../organization.messages.js';

/** Organizations per transaction. */
const BATCH = 20;
const MAX_OWNERS = 50;
const WEEK_SECONDS = 604_800;

/**
 * Tells the owners of organizations from before the default changed that connections of other
 * organizations open theirs, once (ADR 49).
 */
@Injectable()
export class OtherConnectionsNotice {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantRepository,
    private readonly owners: TenantOwners,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  @JobHandler({ task: 'tell_of_other_connections', schedule: '37 * * * *' })
  async tell(): Promise<void> {
    while ((await this.database.transaction(() => this.tellBatch())) === BATCH);
  }

  private async tellBatch(): Promise<number> {
    const tenants = await this.tenants.takeUntoldForUpdate(BATCH);
    for (const { id, isOpen } of tenants) if (isOpen) await this.tellOwners(id);
    return tenants.length;
  }

  private async tellOwners(tenantId: TenantId): Promise<void> {
    const tenant = await this.owners.find(tenantId, MAX_OWNERS);
    for (const { email, locale } of tenant?.owners ?? []) {
      const language = localeOf(locale);
      const text = textIn(language);
      const organization = quotedName(tenant?.name ?? '') ?? text('mail.other-connections.your-organization');
      await this.outbox.send(
        {
          to: email,
          locale: language,
          ...(tenant?.look && { look: tenant.look }),
          subject: text('mail.other-connections.subject'),
          paragraphs: [
            text('mail.other-connections.text', { organization }),
            text('mail.other-connections.change'),
          ],
          action: {
            label: text('mail.go-to-app'),
            url: `${this.settings.APP_URL}/organizations/${tenantId}/sign-in-policy`,
          },
        },
        {
          usefulForSeconds: WEEK_SECONDS,
          budget: { kind: 'other-connections', mails: 20, periodSeconds: WEEK_SECONDS },
        },
      );
    }
  }
}
