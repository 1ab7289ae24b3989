import { Inject, Injectable } from '@nestjs/common';
import { ProfileService, OperatorService, TenantOwners } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { isApiKeyOf, KeyDerivation, parseApiKey } from '../../platform/crypto/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { Outbox } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import { CredentialRepository } from '../keys/credential.repository.js';
import { KeyIssuer } from '../keys/key-issuer.js';
import { PlatformAccountRepository } from '../platform/platform-account.repository.js';
import { PlatformAccountService } from '../platform/platform-account.service.js';
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

/** Ends keys that were found where they must not be, for any reporter. */
@Injectable()
export class LeakedKeyService {
  constructor(
    private readonly database: Database,
    private readonly credentials: CredentialRepository,
    private readonly derivation: KeyDerivation,
    private readonly issuer: KeyIssuer,
    private readonly jobs: JobQueue,
    private readonly profiles: ProfileService,
    private readonly owners: TenantOwners,
    private readonly operators: OperatorService,
    private readonly platformAccounts: PlatformAccountService,
    private readonly platform: PlatformAccountRepository,
    private readonly outbox: Outbox,
    private readonly lifecycle: Lifecycle,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Ends a key and queues mails to its owners: the person, the owners of the organization, or the
   * admins of the platform. Does nothing for an unknown key, and does not tell so.
   */
  async report(plainKey: string): Promise<void> {
    const parsed = parseApiKey(plainKey);
    if (!parsed) return;
    await this.database.transaction(async () => {
      await this.endMachineKey(plainKey, parsed.id);
      await this.endPlatformKey(plainKey, parsed.id);
      await this.lifecycle.emit('key.leaked', {
        plainKey,
        ended: (key) => this.queueMails({ ...key, userId: null }),
      });
    });
  }

  private async endMachineKey(plainKey: string, lookup: string): Promise<void> {
    const [key] = await this.credentials.findByLookup([lookup]);
    if (!key?.secretHash || !isApiKeyOf(this.derivation, 'api-key', plainKey, key.secretHash)) return;
    const ended = await this.credentials.end(key, key.id, ['key', 'secret']);
    if (!ended) return;
    const { tenantId, ownerId, ownerKind, name } = key;
    await this.issuer.recordLeaked(ownerId as UserId, ended);
    await this.queueMails({
      tenantId,
      userId: ownerKind === 'person' ? (ownerId as UserId) : null,
      name,
    });
  }

  private async endPlatformKey(plainKey: string, lookup: string): Promise<void> {
    const [key] = await this.platform.findKeysByLookup([lookup]);
    if (!key || !isApiKeyOf(this.derivation, 'api-key', plainKey, key.secretHash)) return;
    if (await this.platformAccounts.endLeaked(key))
      await this.queueMails({ tenantId: null, userId: null, name: key.name });
  }

  private async queueMails(key: ToTell): Promise<void> {
    await this.jobs.add(TELL, { ...key });
  }

  @JobHandler({ task: TELL })
  async tell({ tenantId, userId, name }: ToTell): Promise<void> {
    await this.database.transaction(async () => {
      for (const { email, locale } of await this.findRecipients(tenantId, userId)) {
        const language = localeOf(locale);
        const text = textIn(language);
        await this.outbox.send(
          {
            to: email,
            locale: language,
            subject: text('mail.leaked-key.subject'),
            paragraphs: [text('mail.leaked-key.text', { name }), text('mail.leaked-key.replace')],
            action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
          },
          {
            usefulForSeconds: DAY_SECONDS,
            budget: { kind: 'leaked-key', mails: 20, periodSeconds: DAY_SECONDS },
          },
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
