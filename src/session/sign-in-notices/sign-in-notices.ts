import { Injectable } from '@nestjs/common';
import { AccountService, SecurityNotices } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import type { Client } from '../../platform/web/index.js';
import { LOCK, type Locked, type UserId } from '../../kernel/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { getDeviceName } from './device-name.js';
import { KnownNetworkRepository } from './known-network.repository.js';

const NEW_NETWORK_TASK = 'session.tell-of-new-network';

interface Notice {
  readonly userId: UserId;
  readonly at: string;
  readonly device: string | null;
  readonly ipAddress: string;
}

/**
 * Mails the owner of an account after a sign-in from a network that the account has not used
 * before.
 */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly networks: KnownNetworkRepository,
    private readonly notices: SecurityNotices,
    private readonly jobs: JobQueue,
  ) {}

  /**
   * Records the network of a successful sign-in, and queues the mail if the network is new.
   */
  async recordSignIn(userId: Locked<UserId>, { ipAddress, userAgent }: Client): Promise<void> {
    const { signedInBefore, known } = await this.networks.note(userId, ipAddress);
    if (known || !signedInBefore) return;
    const device = getDeviceName(userAgent);
    const notice: Notice = { userId, at: new Date().toISOString(), device, ipAddress };
    await this.jobs.add(NEW_NETWORK_TASK, notice);
  }

  /** Sends the mail. Locks the account, so that an erasure finds the queued mail and removes it. */
  @JobHandler({ task: NEW_NETWORK_TASK })
  async sendNotice({ userId, at, device, ipAddress }: Notice): Promise<void> {
    await this.database.transaction(async () => {
      const account = await this.accounts.findForShare(userId);
      if (!account || account.email === null) return;
      const { email, locale } = account;
      await this.notices.sendNewNetwork({ email, locale }, { at: new Date(at), device, ipAddress });
    });
  }

  /** Deletes the networks of an account in the transaction that erases it. */
  @OnLifecycle('account.erased', { order: LOCK.sessions })
  async deleteKnownNetworks({ userId }: { userId: UserId }): Promise<void> {
    await this.networks.deleteAllOf(userId);
  }
}
