import { Injectable } from '@nestjs/common';
import { AccountService, SecurityNotices, SIGN_IN_METHODS, SignInCounts } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import type { Client } from '../../platform/web/index.js';
import { LOCK, type Locked, type TenantId, type UserId } from '../../kernel/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { ASSERTION, type Proof } from '../evidence/evidence.js';
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
 * Counts sign-ins, and mails the owner of an account after one from a network that the account has
 * not used before.
 */
@Injectable()
export class SignInNotices {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly networks: KnownNetworkRepository,
    private readonly notices: SecurityNotices,
    private readonly jobs: JobQueue,
    private readonly counts: SignInCounts,
  ) {}

  /**
   * Counts the sign-in of a session that has started, and records its network: not at a shared
   * station, nor by an assertion, which no browser or app of the person has sent.
   * @param tenantId organization that vouches for the person; null for none
   */
  async noteStart(
    userId: Locked<UserId>,
    proofs: readonly Proof[],
    client: Client,
    { tenantId, atStation }: { readonly tenantId: TenantId | null; readonly atStation: boolean },
  ): Promise<void> {
    this.counts.signedIn(userId, atStation ? 'station' : methodOf(proofs[0]), tenantId);
    const isAsserted = proofs.some(({ method }) => method === ASSERTION);
    if (!atStation && !isAsserted) await this.recordSignIn(userId, client);
  }

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

/** Returns how a person signed in, by the first proof. */
function methodOf(proof: Proof | undefined): (typeof SIGN_IN_METHODS)[number] {
  const own = SIGN_IN_METHODS.find((method) => method === proof?.method);
  return own ?? (proof?.connectionId ? 'connection' : 'provider');
}
