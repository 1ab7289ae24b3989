import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { JobHandler } from '../../../platform/jobs/index.js';
import { Outbox, quotedName } from '../../../platform/mail/index.js';
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
    const name = quotedName(tenant?.name ?? '');
    for (const { email, locale } of tenant?.owners ?? [])
      await this.outbox.send(
        { email, locale, look: tenant?.look },
        {
          usefulForSeconds: WEEK_SECONDS,
          budget: { kind: 'other-connections', mails: 20, periodSeconds: WEEK_SECONDS },
        },
        (text) => ({
          subject: text('mail.other-connections.subject'),
          paragraphs: [
            text('mail.other-connections.text', {
              organization: name ?? text('mail.other-connections.your-organization'),
            }),
            text('mail.other-connections.change'),
          ],
          action: { label: text('mail.go-to-app'), path: `/organizations/${tenantId}/sign-in-policy` },
        }),
      );
  }
}
