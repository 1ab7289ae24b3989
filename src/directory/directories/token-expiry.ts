import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { DirectoryTokens } from './directory-tokens.js';

/** Tokens of one transaction. */
const BATCH = 100;

/** Announces tokens that end within a week: without a new one, a directory stops unnoticed. */
@Injectable()
export class TokenExpiry {
  constructor(
    private readonly database: Database,
    private readonly tokens: DirectoryTokens,
    private readonly audit: AuditTrail,
  ) {}

  @JobHandler({ task: 'announce_expiring_directory_tokens', schedule: '37 * * * *' })
  async announce(): Promise<void> {
    while ((await this.database.transaction(() => this.announceBatch())) === BATCH);
  }

  private async announceBatch(): Promise<number> {
    const expiring = await this.tokens.takeExpiring(BATCH);
    for (const { tenantId, directoryId } of expiring)
      await this.audit.record({
        actorId: directoryId as UserId,
        tenantId,
        action: 'directory.token-expiring',
        subject: `iam/directories/${directoryId}`,
      });
    return expiring.length;
  }
}
