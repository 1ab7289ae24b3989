import { Injectable } from '@nestjs/common';
import { AccountService, OwnerMails } from '../../iam/index.js';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import '../connection.messages.js';

const TELL_OWNERS = 'connections.tell-owners-of-change';

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
    private readonly mails: OwnerMails,
    private readonly accounts: AccountService,
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
      await this.mails.send(tenantId, { kind: 'connection-change' }, (text, organization) => {
        const actor = address ?? text(`mail.connection-change.by-${isPerson ? 'member' : by}`);
        return {
          subject: text(`mail.connection-change.${waits ? 'waits' : 'applied'}-subject`),
          paragraphs: [
            text(`mail.connection-change.${waits ? 'waits' : 'applied'}`, { organization }),
            text('mail.connection-change.actor', { actor }),
            ...added.map((sha256) => text('mail.connection-change.added', { sha256 })),
            ...removed.map((sha256) => text('mail.connection-change.removed', { sha256 })),
            text('mail.connection-change.check'),
          ],
        };
      });
    });
  }
}
