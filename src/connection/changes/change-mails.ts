import { Inject, Injectable } from '@nestjs/common';
import { AccountService, TenantOwners } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import { localeOf, textIn } from '../../platform/messages/index.js';
import '../connection.messages.js';

const TELL_OWNERS = 'connections.tell-owners-of-change';
const DAY_SECONDS = 86_400;
const MAX_OWNERS = 50;
const MAX_MAILS = 20;

interface ToTell {
  readonly tenantId: TenantId;
  readonly connectionId: string;
  /** Person, set-up link, or the connection itself for its provider. */
  readonly actorId: UserId;
  readonly by: 'person' | 'machine' | 'setup-link' | 'provider';
  /** Whether it waits for an owner; else it applies already. */
  readonly waits: boolean;
  /** Fingerprints of certificates. */
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
}

/** Mails the owners about each change of what a connection in use accepts. */
@Injectable()
export class ChangeMails {
  constructor(
    private readonly database: Database,
    private readonly jobs: JobQueue,
    private readonly owners: TenantOwners,
    private readonly accounts: AccountService,
    private readonly outbox: Outbox,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Queues the mails in the open transaction. */
  queue(toTell: ToTell): Promise<void> {
    return this.jobs.add(TELL_OWNERS, toTell);
  }

  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId, actorId, by, waits, added = [], removed = [] }: ToTell): Promise<void> {
    await this.database.transaction(async () => {
      const isPerson = by === 'person' || by === 'machine';
      const address = isPerson ? (await this.accounts.findForShare(actorId))?.email : null;
      const found = await this.owners.find(tenantId, MAX_OWNERS);
      for (const { email, locale } of found?.owners ?? []) {
        const language = localeOf(locale);
        const text = textIn(language);
        const organization = quotedName(found?.name ?? '') ?? text('mail.domain-lapsed.your-organization');
        const actor = address ?? text(`mail.connection-change.by-${isPerson ? 'member' : by}`);
        await this.outbox.send(
          {
            to: email,
            locale: language,
            ...(found?.look && { look: found.look }),
            subject: text(
              waits ? 'mail.connection-change.waits-subject' : 'mail.connection-change.applied-subject',
            ),
            paragraphs: [
              text(waits ? 'mail.connection-change.waits' : 'mail.connection-change.applied', {
                organization,
              }),
              text('mail.connection-change.actor', { actor }),
              ...added.map((sha256) => text('mail.connection-change.added', { sha256 })),
              ...removed.map((sha256) => text('mail.connection-change.removed', { sha256 })),
              text('mail.connection-change.check'),
            ],
            action: { label: text('mail.go-to-app'), url: this.settings.APP_URL },
          },
          {
            usefulForSeconds: DAY_SECONDS,
            budget: { kind: 'connection-change', mails: MAX_MAILS, periodSeconds: DAY_SECONDS },
          },
        );
      }
    });
  }
}
