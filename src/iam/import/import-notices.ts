import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import { TenantOwners } from '../organizations/members/tenant-owners.js';

const TELL_OWNERS = 'iam.tell-owners-of-import';
const DAY_SECONDS = 86_400;
const MAX_OWNERS = 50;
/** A file comes in parts: each owner is told of the first ones of a day. */
const MAILS_A_DAY = 5;

/** Tells the owners of organizations that an import has made people members. */
@Injectable()
export class ImportNotices {
  constructor(
    private readonly database: Database,
    private readonly owners: TenantOwners,
    private readonly jobs: JobQueue,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Mails all owners of an organization, once the open transaction has committed. */
  queue(tenantId: TenantId): Promise<void> {
    return this.jobs.add(TELL_OWNERS, { tenantId });
  }

  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId }: { readonly tenantId: TenantId }): Promise<void> {
    await this.database.transaction(async () => {
      const found = await this.owners.find(tenantId, MAX_OWNERS);
      for (const { email, locale } of found?.owners ?? []) {
        const language = localeOf(locale);
        const text = textIn(language);
        const organization = quotedName(found?.name ?? '') ?? text('mail.support-access.your-organization');
        await this.outbox.send(
          {
            to: email,
            locale: language,
            ...(found?.look && { look: found.look }),
            subject: text('mail.members-imported.subject'),
            paragraphs: [
              text('mail.members-imported.text', { organization }),
              text('mail.members-imported.end'),
            ],
            action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
          },
          {
            usefulForSeconds: DAY_SECONDS,
            budget: { kind: 'members-imported', mails: MAILS_A_DAY, periodSeconds: DAY_SECONDS },
          },
        );
      }
    });
  }
}
