import { Inject, Injectable } from '@nestjs/common';
import { Database } from '../database/database.js';
import { JobHandler, JobQueue } from '../jobs/index.js';
import { MAIL_TRANSPORT, type MailTransport } from './mail-transport.js';
import { Outbox, SEND_MAIL } from './outbox.js';

/** A mail server that is back is tried again within this time, however long it was away. */
const LONGEST_PAUSE_SECONDS = 30;

/** Sends what waits in the outbox and forgets it when told to. */
@Injectable()
export class MailJobs {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly jobs: JobQueue,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport,
  ) {}

  @JobHandler({ task: SEND_MAIL })
  async send({ id, attempt }: { id: string; attempt: number }): Promise<void> {
    await this.database.transaction(async () => {
      const waiting = await this.outbox.findWaiting(id);
      if (!waiting) return;
      try {
        await this.transport.deliver(waiting.mail, waiting.recipientKey);
        await this.outbox.markSent(id);
      } catch {
        await this.jobs.add(
          SEND_MAIL,
          { id, attempt: attempt + 1 },
          { delaySeconds: Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS) },
        );
      }
    });
  }

  /** Removes every trace of an address from outbox and mail folder. Idempotent. */
  async forget(recipientKey: Buffer): Promise<void> {
    await this.outbox.forget(recipientKey);
    await this.transport.forget(recipientKey);
  }
}
