import { Injectable } from '@nestjs/common';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { MailJobs, Outbox } from '../../platform/mail/index.js';

const FINISH_ERASURE = 'iam.finish-erasure';

/** The mails to somebody who has been erased: some lie outside the database, so a job removes them. */
@Injectable()
export class MailErasure {
  constructor(
    private readonly outbox: Outbox,
    private readonly mailJobs: MailJobs,
    private readonly jobs: JobQueue,
  ) {}

  @OnLifecycle('account.erased')
  async begin({ emailKey }: { emailKey: string | null }): Promise<void> {
    if (emailKey === null) return;
    for (const recipientKey of this.outbox.recipientKeys(emailKey))
      await this.jobs.add(FINISH_ERASURE, { recipientKey: recipientKey.toString('hex') });
  }

  @JobHandler({ task: FINISH_ERASURE })
  async finish({ recipientKey }: { recipientKey: string }): Promise<void> {
    await this.mailJobs.forget(Buffer.from(recipientKey, 'hex'));
  }
}
