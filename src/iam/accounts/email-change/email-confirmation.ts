import { Injectable } from '@nestjs/common';
import { LOCK, type UserId } from '../../../kernel/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../../platform/jobs/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { RANDOM_DELAY } from '../account-mails.js';
import { AccountRepository } from '../account.repository.js';
import { EmailChangeMails } from './email-change-mails.js';
import { EmailChangeRepository } from './email-change.repository.js';

const SEND_CONFIRMATION = 'iam.confirm-email';

interface ConfirmationMail {
  readonly plainToken: string;
  /** Key of the network that asked for the mail, in hexadecimal. */
  readonly network: string;
}

/** Mails the link that confirms a new address, and voids it. */
@Injectable()
export class EmailConfirmation {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly changes: EmailChangeRepository,
    private readonly mails: EmailChangeMails,
    private readonly jobs: JobQueue,
  ) {}

  /** Queues the mail of a change. Joins the open transaction. */
  async queue(plainToken: string, email: string, ipAddress: string): Promise<void> {
    const network = this.mails.networkKey(email, ipAddress).toString('hex');
    const mail: ConfirmationMail = { plainToken, network };
    await this.jobs.add(SEND_CONFIRMATION, mail, RANDOM_DELAY);
  }

  /**
   * Sends the link to the new address, or tells the owner of the address that it has an account.
   * Sends nothing if the change is void.
   */
  @JobHandler({ task: SEND_CONFIRMATION })
  async send({ plainToken, network }: ConfirmationMail): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    const networkKey = Buffer.from(network, 'hex');
    await this.database.transaction(async () => {
      const asked = await this.changes.find(tokenHash);
      if (!asked) return;
      const { email, emailKey, userId } = asked;
      const { own, holder } = await this.accounts.findWithHolderForShare(userId, emailKey);
      // A change that was voided before the account was locked sends nothing.
      if (!own || !(await this.changes.find(tokenHash))) return;
      if (holder) await this.mails.sendTaken(holder, networkKey);
      else await this.mails.sendConfirmation({ email, locale: own.locale }, plainToken, networkKey);
    });
  }

  /** Voids the change that waits, when credentials change or the person signs out everywhere. */
  @OnLifecycle(
    'account.password-changed',
    'account.password-reset',
    'account.signed-out',
    'account.suspended',
    'account.erased',
    { order: LOCK.accounts },
  )
  async cancel({ userId }: { userId: UserId }): Promise<void> {
    const cancelled = await this.changes.delete(userId);
    if (cancelled) await this.mails.withdrawRequests(cancelled.emailKey);
  }
}
