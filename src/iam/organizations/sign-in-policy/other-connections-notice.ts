import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { JobHandler } from '../../../platform/jobs/index.js';
import { TenantDeletionRepository } from '../tenants/deletion/tenant-deletion.repository.js';
import { TenantMails } from '../tenants/tenant-mails.js';
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
    private readonly deletions: TenantDeletionRepository,
    private readonly mails: TenantMails,
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
    const owners = await this.deletions.listOwners(tenantId, '', MAX_OWNERS);
    const budget = { kind: 'other-connections', periodSeconds: WEEK_SECONDS };
    await this.mails.send(tenantId, owners, budget, (text, name) => ({
      subject: text('mail.other-connections.subject'),
      paragraphs: [
        text('mail.other-connections.text', {
          organization: name ?? text('mail.other-connections.your-organization'),
        }),
        text('mail.other-connections.change'),
      ],
      action: { label: text('mail.go-to-app'), path: `/organizations/${tenantId}/sign-in-policy` },
    }));
  }
}
