import { Inject, Injectable, Logger } from '@nestjs/common';
import { JobHandler, JobQueue } from '../jobs/index.js';
import { type Count, Metrics } from '../observability/index.js';
import { MAIL_TRANSPORT, type MailTransport, Undeliverable } from './mail-transport.js';
import { DROP_DECOY, Outbox, SEND_MAIL } from './outbox.js';

const OUTCOMES = ['sent', 'deferred', 'refused'] as const;
/** A mail server that is back is tried again within this time, however long it was away. */
const LONGEST_PAUSE_SECONDS = 30;

interface Attempt {
  readonly id: string;
  readonly attempt: number;
}

/** Sends what waits in the outbox and forgets it when told to. */
@Injectable()
export class MailJobs {
  private readonly logger = new Logger('Mail');
  private readonly deliveries: Count<{ outcome: typeof OUTCOMES }>;

  constructor(
    private readonly outbox: Outbox,
    private readonly jobs: JobQueue,
    @Inject(MAIL_TRANSPORT) private readonly transport: MailTransport,
    metrics: Metrics,
  ) {
    this.deliveries = metrics.counter({
      name: 'gatehouse_mail_deliveries_total',
      help: 'Tries to hand a mail over to the mail server, by outcome; what is deferred is tried again.',
      labels: { outcome: OUTCOMES },
    });
  }

  /** No transaction is open while a mail server takes its time: it would hold a connection, and a slow server would end it. */
  @JobHandler({ task: SEND_MAIL })
  send(attempt: Attempt, signal: AbortSignal): Promise<void> {
    return this.carryOut(SEND_MAIL, attempt, signal);
  }

  /** The work of {@link send}, for nobody. */
  @JobHandler({ task: DROP_DECOY })
  drop(attempt: Attempt, signal: AbortSignal): Promise<void> {
    return this.carryOut(DROP_DECOY, attempt, signal);
  }

  private async carryOut(task: string, { id, attempt }: Attempt, signal: AbortSignal): Promise<void> {
    const isDecoy = task === DROP_DECOY;
    const waiting = await this.outbox.findWaiting(id);
    if (!waiting) return;
    try {
      await this.transport.deliver({ ...waiting, id, signal, isDecoy });
    } catch (error) {
      if (error instanceof Undeliverable) return this.giveUp(id);
      this.deliveries.inc({ outcome: 'deferred' });
      // Broken off because this process ends: another replica tries again at once, and the attempt does not count.
      if (signal.aborted) return this.jobs.add(task, { id, attempt });
      const delaySeconds = Math.min(2 ** attempt, LONGEST_PAUSE_SECONDS);
      return this.jobs.add(task, { id, attempt: attempt + 1 }, { delaySeconds });
    }
    if (!isDecoy) this.deliveries.inc({ outcome: 'sent' });
    if (!(await this.outbox.markSent(id))) await this.transport.forget(waiting.recipientKey);
  }

  /** Trying for hours what is refused for good makes a mail server block its sender. */
  private async giveUp(id: string): Promise<void> {
    this.deliveries.inc({ outcome: 'refused' });
    this.logger.warn({ mail: id }, 'The mail server refused a mail for good.');
    await this.outbox.markSent(id);
  }

  /** Removes every trace of a recipient of this name from outbox and mail folder. Idempotent. */
  async forget(recipientKey: Buffer): Promise<void> {
    await this.outbox.forget([recipientKey]);
    await this.transport.forget(recipientKey);
  }
}
