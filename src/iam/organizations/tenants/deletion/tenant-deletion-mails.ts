import { Injectable } from '@nestjs/common';
import { Database } from '../../../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../../../platform/jobs/index.js';
import type { TenantId } from '../../../../kernel/index.js';
import { utcOf } from '../../../accounts/account-mails.js';
import { TenantMails } from '../tenant-mails.js';
import { TenantDeletionRepository } from './tenant-deletion.repository.js';
import '../../organization.messages.js';

const TELL_OWNERS = 'iam.tell-owners-of-deletion';
/** Owners told in one transaction. */
const PAGE_OWNERS = 50;

interface OwnersToTell {
  readonly tenantId: TenantId;
  /** Last owner of the page before. */
  readonly after: string;
}

/** Tells the owners of an organization that it will be deleted. */
@Injectable()
export class TenantDeletionMails {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly deletions: TenantDeletionRepository,
    private readonly mails: TenantMails,
  ) {}

  /** Queues the mails in the transaction of the schedule: an organization may have many owners. */
  tellOwners(tenantId: TenantId): Promise<void> {
    return this.jobs.add(TELL_OWNERS, { tenantId, after: '' } satisfies OwnersToTell);
  }

  /** Sends a page of the mails and queues the next. Sends none after the deletion is cancelled. */
  @JobHandler({ task: TELL_OWNERS })
  async tellPage({ tenantId, after }: OwnersToTell): Promise<void> {
    await this.database.transaction(async () => {
      const deletesAt = (await this.deletions.find(tenantId))?.deletesAt;
      if (!deletesAt) return;
      const owners = await this.deletions.listOwners(tenantId, after, PAGE_OWNERS);
      const time = utcOf(deletesAt);
      await this.mails.send(tenantId, owners, { kind: 'tenant-deletion' }, (text, organization) => ({
        subject: text('mail.tenant-deletion.subject'),
        paragraphs: [
          organization === null
            ? text('mail.tenant-deletion.scheduled-without-name', { time })
            : text('mail.tenant-deletion.scheduled', { organization, time }),
          text('mail.tenant-deletion.what-goes'),
          text('mail.tenant-deletion.cancel'),
        ],
      }));
      const last = owners.at(-1);
      if (last && owners.length === PAGE_OWNERS)
        await this.jobs.add(TELL_OWNERS, { tenantId, after: last.userId } satisfies OwnersToTell);
    });
  }
}
