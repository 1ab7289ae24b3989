import { Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OwnerMails } from '../organizations/members/owner-mails.js';

const TELL_OWNERS = 'iam.tell-owners-of-import';
/** A file comes in parts: each owner is told of the first ones of a day. */
const MAILS_A_DAY = 5;

/** Tells the owners of organizations that an import has made people members. */
@Injectable()
export class ImportNotices {
  constructor(
    private readonly database: Database,
    private readonly mails: OwnerMails,
    private readonly jobs: JobQueue,
  ) {}

  /** Mails all owners of an organization, once the open transaction has committed. */
  queue(tenantId: TenantId): Promise<void> {
    return this.jobs.add(TELL_OWNERS, { tenantId });
  }

  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId }: { readonly tenantId: TenantId }): Promise<void> {
    await this.database.transaction(() =>
      this.mails.send(
        tenantId,
        { kind: 'members-imported', mailsADay: MAILS_A_DAY },
        (text, organization) => ({
          subject: text('mail.members-imported.subject'),
          paragraphs: [
            text('mail.members-imported.text', { organization }),
            text('mail.members-imported.end'),
          ],
        }),
      ),
    );
  }
}
