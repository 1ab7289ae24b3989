import { Injectable } from '@nestjs/common';
import { AccountService, SecurityNotices } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import type { Client } from '../../platform/web/index.js';
import type { UserId } from '../../kernel/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { deviceNameOf } from './device-name.js';
import { KnownNetworkRepository } from './known-network.repository.js';

const TELL_OF_NEW_NETWORK = 'session.tell-of-new-network';

interface Notice {
  readonly userId: UserId;
  readonly at: string;
  readonly device: string;
  readonly ipAddress: string;
}

/** Tells owners of sign-ins from networks that their account had not been used from before. */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly networks: KnownNetworkRepository,
    private readonly notices: SecurityNotices,
    private readonly jobs: JobQueue,
  ) {}

  /** Notes a sign-in that has succeeded; the mail is a job's. Joins the open transaction, which holds the account. */
  async note(userId: UserId, { ipAddress, userAgent }: Client): Promise<void> {
    const { signedInBefore, known } = await this.networks.note(userId, ipAddress);
    if (known || !signedInBefore) return;
    const device = deviceNameOf(userAgent);
    const notice: Notice = { userId, at: new Date().toISOString(), device, ipAddress };
    await this.jobs.add(TELL_OF_NEW_NETWORK, notice);
  }

  /** The account is held: what is queued in this transaction is there for an erasure to remove. */
  @JobHandler({ task: TELL_OF_NEW_NETWORK })
  async tell({ userId, at, device, ipAddress }: Notice): Promise<void> {
    await this.database.transaction(async () => {
      const account = await this.accounts.findExisting(userId);
      if (!account || account.email === null) return;
      await this.notices.newNetwork(account.email, { at: new Date(at), device, ipAddress });
    });
  }

  @OnLifecycle('account.erased')
  async forget({ userId }: { userId: UserId }): Promise<void> {
    await this.networks.deleteAllOf(userId);
  }
}
