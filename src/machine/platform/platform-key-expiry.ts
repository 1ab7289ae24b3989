import { Injectable } from '@nestjs/common';
import { AuditTrail, OperatorService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { ExpiryNotices } from '../../platform/mail/index.js';
import '../machine.messages.js';
import { type PlatformKey, PlatformAccountRepository } from './platform-account.repository.js';

/** Keys of one transaction. */
const BATCH = 20;

/** Warns the admins of the platform a week before a key of it ends, so that they replace it. */
@Injectable()
export class PlatformKeyExpiry {
  constructor(
    private readonly database: Database,
    private readonly accounts: PlatformAccountRepository,
    private readonly operators: OperatorService,
    private readonly audit: AuditTrail,
    private readonly notices: ExpiryNotices,
  ) {}

  @JobHandler({ task: 'warn_of_platform_keys', schedule: '29 * * * *' })
  async warn(): Promise<void> {
    while ((await this.database.transaction(() => this.warnBatch())) === BATCH);
  }

  private async warnBatch(): Promise<number> {
    const keys = await this.accounts.takeExpiring(BATCH);
    for (const key of keys) {
      const { accountId, id } = key;
      await this.audit.record({
        actorId: accountId,
        subject: `platform/api-keys/${id}`,
        action: 'platform-key.expiring',
      });
      await this.tellAdmins(key);
    }
    return keys.length;
  }

  private async tellAdmins({ name, expiresAt }: PlatformKey): Promise<void> {
    for (const admin of await this.operators.listAdminAddresses())
      await this.notices.send(admin, 'platform-key-expiring', expiresAt, (text, date) => ({
        subject: text('mail.platform-key-expiring.subject'),
        paragraphs: [
          text('mail.platform-key-expiring.text', { name, date }),
          text('mail.platform-key-expiring.replace'),
        ],
      }));
  }
}
