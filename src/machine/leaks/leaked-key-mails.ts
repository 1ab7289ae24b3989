import { Injectable } from '@nestjs/common';
import { OperatorService, ProfileService, TenantOwners } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { Outbox } from '../../platform/mail/index.js';
import '../machine.messages.js';

const TELL = 'machines.tell-of-leaked-key';
const DAY_SECONDS = 86_400;
const MAX_OWNERS = 50;

interface ToTell {
  /** Organization of the key; null for a key of the platform. */
  readonly tenantId: TenantId | null;
  /** Person whose key it was; null for a key of the organization or the platform. */
  readonly userId: UserId | null;
  readonly name: string;
}

/**
 * Mails the owners of a key that was found in public: the person, the owners of the organization,
 * or the admins of the platform.
 */
@Injectable()
export class LeakedKeyMails {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly profiles: ProfileService,
    private readonly owners: TenantOwners,
    private readonly operators: OperatorService,
    private readonly outbox: Outbox,
  ) {}

  /** Queues the mails in the open transaction. */
  async queue(key: ToTell): Promise<void> {
    await this.jobs.add(TELL, { ...key });
  }

  @JobHandler({ task: TELL })
  async tell({ tenantId, userId, name }: ToTell): Promise<void> {
    await this.database.transaction(async () => {
      for (const { email, locale } of await this.findRecipients(tenantId, userId)) {
        await this.outbox.send(
          { email, locale },
          {
            usefulForSeconds: DAY_SECONDS,
            budget: { kind: 'leaked-key', mails: 20, periodSeconds: DAY_SECONDS },
          },
          (text) => ({
            subject: text('mail.leaked-key.subject'),
            paragraphs: [text('mail.leaked-key.text', { name }), text('mail.leaked-key.replace')],
          }),
        );
      }
    });
  }

  private async findRecipients(
    tenantId: TenantId | null,
    userId: UserId | null,
  ): Promise<readonly { readonly email: string; readonly locale: string | null }[]> {
    if (tenantId === null) return this.operators.listAdminAddresses();
    if (userId === null) return (await this.owners.find(tenantId, MAX_OWNERS))?.owners ?? [];
    const { email, locale } = await this.profiles.getProfile(userId);
    return email === null ? [] : [{ email, locale }];
  }
}
