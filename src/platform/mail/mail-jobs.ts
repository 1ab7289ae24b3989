import { Inject, Injectable, Logger } from '@nestjs/common';
import { JobHandler, JobQueue } from '../jobs/index.js';
import { Counts, type Tally } from '../counts/index.js';
import { MailRecords, replyWithout } from './mail-records.js';
import { MAIL_TRANSPORT, type MailTransport, replyOf, Undeliverable } from './mail-transport.js';
import { DROP_DECOY, SEND_MAIL } from './outbox.js';
import { OutgoingMailRepository } from './outgoing-mail.repository.js';

const OUTCOMES = ['sent', 'deferred', 'refused'] as const;
/** Maximum pause between attempts, so that mails are sent soon after a mail server is back. */
const MAX_PAUSE_SECONDS = 30;

interface Attempt {
  readonly id: string;
  readonly attempt: number;
}

/** Sends the mails of the outbox, and deletes those to an erased recipient. */
@Injectable()
export class MailJobs {
  private readonly logger = new Logger('Mail');
  private readonly deliveries: Tally<(typeof OUTCOMES)[number]>;

  constructor(
    private readonly mails: OutgoingMailRepository,
    private readonly records: MailRecords,
    private readonly jobs: JobQueue,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport,
    counts: Counts,
  ) {
    this.deliveries = counts.tally({
      name: 'mail',
      values: OUTCOMES,
      metric: {
        name: 'gatehouse_mail_deliveries_total',
        help: 'Attempts to deliver a mail to the mail server, by outcome; deferred mails are retried.',
        label: 'outcome',
      },
    });
  }

  /**
   * Sends a mail. Opens no transaction during delivery: it would hold a connection, and time out
   * at a slow mail server.
   */
  @JobHandler({ task: SEND_MAIL })
  send(attempt: Attempt, signal: AbortSignal): Promise<void> {
    return this.carryOut(SEND_MAIL, attempt, signal);
  }

  /** Does the work of {@link send} without sending a mail. */
  @JobHandler({ task: DROP_DECOY })
  drop(attempt: Attempt, signal: AbortSignal): Promise<void> {
    return this.carryOut(DROP_DECOY, attempt, signal);
  }

  private async carryOut(task: string, { id, attempt }: Attempt, signal: AbortSignal): Promise<void> {
    const isDecoy = task === DROP_DECOY;
    const waiting = await this.mails.findWaiting(id);
    if (!waiting) return;
    const record = (state: 'sent' | 'deferred' | 'refused', reply: string | null) =>
      this.records.record(id, { state, attempts: attempt, reply: replyWithout(waiting.mail.to, reply) });
    let reply: string | null;
    try {
      reply = await this.transport.deliver({ ...waiting, id, signal, isDecoy });
    } catch (error) {
      if (error instanceof Undeliverable) {
        await record('refused', error.response);
        return this.giveUp(id);
      }
      this.deliveries.count('deferred');
      // Aborted at shutdown: another replica retries at once, and the attempt does not count.
      if (signal.aborted) return this.jobs.add(task, { id, attempt });
      await record('deferred', replyOf(error));
      const delaySeconds = Math.min(2 ** attempt, MAX_PAUSE_SECONDS);
      return this.jobs.add(task, { id, attempt: attempt + 1 }, { delaySeconds });
    }
    if (!isDecoy) this.deliveries.count('sent');
    await record('sent', reply);
    if (!(await this.mails.markSent(id))) await this.transport.forget(waiting.recipientKey);
  }

  /** Gives up a mail: retrying after a permanent refusal makes a mail server block the sender. */
  private async giveUp(id: string): Promise<void> {
    this.deliveries.count('refused');
    this.logger.warn({ mail: id }, 'The mail server refused a mail permanently.');
    await this.mails.markSent(id);
  }

  /** Deletes all mails to a recipient from outbox and mail folder. Idempotent. */
  async forget(recipientKey: Buffer): Promise<void> {
    await this.mails.delete([recipientKey], null);
    await this.records.forget([recipientKey], null);
    await this.transport.forget(recipientKey);
  }
}
