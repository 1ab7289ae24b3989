import { Inject, Injectable } from '@nestjs/common';
import { AuditTrail, OperatorService } from '../../iam/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { Outbox } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import '../machine.messages.js';
import { type PlatformKey, PlatformAccountRepository } from './platform-account.repository.js';

/** Keys of one transaction. */
const BATCH = 20;
const DAY_SECONDS = 86_400;

/** Warns the admins of the platform a week before a key of it ends, so that they replace it. */
@Injectable()
export class PlatformKeyExpiry {
  constructor(
    private readonly database: Database,
    private readonly accounts: PlatformAccountRepository,
    private readonly operators: OperatorService,
    private readonly audit: AuditTrail,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
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
    for (const { email, locale } of await this.operators.listAdminAddresses()) {
      const language = localeOf(locale);
      const text = textIn(language);
      const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(
        expiresAt,
      );
      await this.outbox.send(
        {
          to: email,
          locale: language,
          subject: text('mail.platform-key-expiring.subject'),
          paragraphs: [
            text('mail.platform-key-expiring.text', { name, date }),
            text('mail.platform-key-expiring.replace'),
          ],
          action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
        },
        {
          usefulForSeconds: DAY_SECONDS,
          budget: { kind: 'platform-key-expiring', mails: 20, periodSeconds: DAY_SECONDS },
        },
      );
    }
  }
}
