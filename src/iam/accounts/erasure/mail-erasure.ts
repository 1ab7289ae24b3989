import { Injectable } from '@nestjs/common';
import { LOCK, type UserId } from '../../../kernel/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { MailJobs, Outbox } from '../../../platform/mail/index.js';
import type { Recipient } from '../account-mails.js';
import { MAX_ERASURE_MAIL_TTL_SECONDS, SecurityNotices } from '../credentials/security-notices.js';

const FINISH_ERASURE = 'iam.finish-erasure';

/** Removes the mails to an erased account, by a job, because some are outside the database. */
@Injectable()
export class MailErasure {
  constructor(
    private readonly outbox: Outbox,
    private readonly mailJobs: MailJobs,
    private readonly jobs: JobQueue,
    private readonly notices: SecurityNotices,
  ) {}

  /** Tells the owner by a mail that is removed within an hour. Joins the erasure's transaction. */
  async tellOwner(owner: Recipient, userId: UserId): Promise<void> {
    for (const recipientKey of await this.notices.sendErased(owner, userId))
      await this.schedule(recipientKey, MAX_ERASURE_MAIL_TTL_SECONDS);
  }

  /** Schedules the removal of all mails to the address, after the commit. */
  @OnLifecycle('account.erased', { order: LOCK.accounts })
  async scheduleErasure({ emailKey }: { emailKey: string | null }): Promise<void> {
    if (emailKey === null) return;
    for (const recipientKey of this.outbox.recipientKeys(emailKey)) await this.schedule(recipientKey, 0);
  }

  /** @param job key of the recipient, in hexadecimal */
  @JobHandler({ task: FINISH_ERASURE })
  async eraseMails({ recipientKey }: { recipientKey: string }): Promise<void> {
    await this.mailJobs.forget(Buffer.from(recipientKey, 'hex'));
  }

  private schedule(recipientKey: Buffer, delaySeconds: number): Promise<void> {
    return this.jobs.add(FINISH_ERASURE, { recipientKey: recipientKey.toString('hex') }, { delaySeconds });
  }
}
