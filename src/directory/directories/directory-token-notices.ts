import { Injectable } from '@nestjs/common';
import { AuditTrail, OwnerMails } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { eventOf } from '../directory.events.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { DirectoryTokenRepository } from './directory-token.repository.js';
import '../directory.messages.js';

/** Tokens of one transaction. */
const BATCH = 100;

const TELL_OWNERS = 'directories.tell-owners-of-stopped-token';

/**
 * Announces tokens that end within a week, and tokens that stopped with their creator: without a
 * new one, a directory stops unnoticed.
 */
@Injectable()
export class DirectoryTokenNotices {
  constructor(
    private readonly database: Database,
    private readonly tokens: DirectoryTokenRepository,
    private readonly audit: AuditTrail,
    private readonly jobs: JobQueue,
    private readonly mails: OwnerMails,
  ) {}

  @JobHandler({ task: 'announce_expiring_directory_tokens', schedule: '37 * * * *' })
  async announce(): Promise<void> {
    while ((await this.database.transaction(() => this.announceBatch())) === BATCH);
  }

  private async announceBatch(): Promise<number> {
    const expiring = await this.tokens.takeExpiring(BATCH);
    for (const token of expiring) await this.audit.record(eventOf(token, 'token-expiring'));
    return expiring.length;
  }

  /** Records that a token stopped with its creator, and tells the owners. */
  async recordStopped(token: DirectoryScope): Promise<void> {
    await this.audit.record(eventOf(token, 'token-stopped'));
    await this.jobs.add(TELL_OWNERS, { tenantId: token.tenantId });
  }

  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId }: { readonly tenantId: TenantId }): Promise<void> {
    await this.database.transaction(() =>
      this.mails.send(tenantId, { kind: 'directory-token-stopped' }, (text, organization) => ({
        subject: text('mail.directory-token-stopped.subject'),
        paragraphs: [
          text('mail.directory-token-stopped.text', { organization }),
          text('mail.directory-token-stopped.replace'),
        ],
      })),
    );
  }
}
