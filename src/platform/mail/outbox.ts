import { randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { DailyBudgets } from '../budgets/index.js';
import { type Settings, SETTINGS } from '../config/index.js';
import { Database } from '../database/index.js';
import { JobQueue } from '../jobs/index.js';
import { type Count, Metrics } from '../observability/index.js';
import { type Addressee, composeMail, type OutgoingMail, type Write } from './letter.js';
import { type CountedMail, countedNetworkOf, OutgoingMailRepository } from './outgoing-mail.repository.js';

interface SendOptions {
  /** Time after which the mail is no longer sent, as its link has expired. */
  readonly usefulForSeconds: number;
  readonly budget: MailBudget;
  /**
   * Does the same work without sending a mail, so that the load of the service does not reveal
   * whether an address has an account (ADR 23).
   */
  readonly isDecoy?: boolean;
  /**
   * Key for storing and counting the mail in place of its address, so that erasing the address
   * keeps it.
   */
  readonly keptAs?: string;
}

/** Budget of who causes mails, for a day. */
export interface SenderBudget {
  readonly kind: string;
  /** Such as the id of an organization. */
  readonly holder: string;
  /** Null for no limit. */
  readonly mails: number | null;
}

interface MailBudget extends CountedMail {
  /** Counts only if the mail is sent. */
  readonly sender?: SenderBudget | null;
}

export const SEND_MAIL = 'mail.send';
/** Separate task, as releases without decoys would send them. */
export const DROP_DECOY = 'mail.drop-decoy';
/** Outcome of {@link Outbox.trySend}: why a mail is not sent, if not. */
type Sent = 'sent' | 'recipient-limited' | 'sender-limited';
/** Kind of decoys, which no budget counts. */
const DECOY_KIND = 'decoy';

/** Queues mails, in the language of their recipients. */
@Injectable()
export class Outbox {
  private readonly withheld: Count;

  constructor(
    private readonly database: Database,
    private readonly mails: OutgoingMailRepository,
    private readonly jobs: JobQueue,
    private readonly budgets: DailyBudgets,
    @Inject(SETTINGS) private readonly settings: Settings,
    metrics: Metrics,
  ) {
    this.withheld = metrics.counter({
      name: 'gatehouse_mails_withheld_total',
      help: 'Mails that were not sent, as the budget of their address for that kind was used up.',
      labels: {},
    });
  }

  /**
   * Queues a mail in the open transaction; a decoy instead if the budget of the address is used up.
   * @returns whether a mail will be sent
   */
  async send(to: Addressee, options: SendOptions, write: Write): Promise<boolean> {
    return (await this.trySend(to, options, write)) === 'sent';
  }

  /** Queues a mail as {@link send} does; nothing if the budget of the sender is used up. */
  trySend(
    to: Addressee,
    { usefulForSeconds, budget, isDecoy = false, keptAs }: SendOptions,
    write: Write,
  ): Promise<Sent> {
    const mail = composeMail(to, write, this.settings.APP_URL);
    const [recipient] = keptAs === undefined ? this.recipientKeys(to.email) : this.keysOf(keptAs);
    return this.database.transaction(async () => {
      await this.mails.lockRecipientForUpdate(recipient);
      const isWithheld = await this.mails.isUsedUp(recipient, budget);
      if (isWithheld && !isDecoy) this.withheld.inc({});
      const isSent = !isWithheld && !isDecoy;
      const { kind, sender } = budget;
      if (isSent && sender && !(await this.budgets.take(sender.kind, sender.holder, sender.mails)))
        return 'sender-limited';
      const stored = isSent
        ? { recipient, network: countedNetworkOf(budget), kind, content: mail }
        : {
            recipient: randomBytes(recipient.length),
            network: null,
            kind: DECOY_KIND,
            content: maskText(mail),
          };
      const isUnsolicited = budget.unsolicited !== undefined;
      const id = await this.mails.insert({ ...stored, isUnsolicited }, usefulForSeconds);
      await this.jobs.add(isSent ? SEND_MAIL : DROP_DECOY, { id, attempt: 1 });
      return isSent ? 'sent' : 'recipient-limited';
    });
  }

  /** See {@link OutgoingMailRepository.recipientKeys}. */
  recipientKeys(address: string): [Buffer, ...Buffer[]] {
    return this.mails.recipientKeys(address);
  }

  /** See {@link OutgoingMailRepository.keysOf}. */
  keysOf(name: string): [Buffer, ...Buffer[]] {
    return this.mails.keysOf(name);
  }

  /** See {@link OutgoingMailRepository.networkKey}. */
  networkKey(address: string, ipAddress: string): Buffer {
    return this.mails.networkKey(address, ipAddress);
  }
}

/**
 * Replaces all letters and digits of a mail by "x", keeping its length: a decoy may wait for a mail
 * server while its address is erased.
 */
const maskText = (mail: OutgoingMail): OutgoingMail =>
  JSON.parse(JSON.stringify(mail), (key, value: unknown) =>
    typeof value === 'string' && key !== 'locale' ? value.replace(/[\p{L}\p{M}\p{N}]/gu, 'x') : value,
  ) as OutgoingMail;
