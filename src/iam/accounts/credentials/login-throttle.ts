import { Inject, Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHashes } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { type LifecycleEvents, LOCK, type UserId } from '../../../kernel/index.js';
import { networkOf } from '../../../platform/web/index.js';
import { type Count, Metrics } from '../../../platform/observability/index.js';
import { FailedSignIns } from './failed-sign-ins.js';
import {
  LoginThrottleRepository,
  SERIES_QUIET_SECONDS,
  type ThrottleKey,
} from './login-throttle.repository.js';

/** Name of all networks together. It is hashed into stored keys and must not change. */
const ALL_NETWORKS = 'everywhere';

/**
 * Slows down password guessing per account and source network, and stops guessing from thousands of
 * networks together (PW-4, ADR 5). Owners can always sign in from networks they have used before,
 * and from any network after a password reset. Counts addresses without an account too, in the
 * database, so that replicas share the counts.
 */
@Injectable()
export class LoginThrottle {
  private readonly refusals: Count;

  constructor(
    private readonly database: Database,
    private readonly counts: LoginThrottleRepository,
    private readonly failedSignIns: FailedSignIns,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter({
      name: 'gatehouse_logins_throttled_total',
      help: 'Logins that were refused, whatever the password, after too many failures.',
      labels: {},
    });
  }

  /** @returns whether attempts from this address have to wait: the caller then refuses this one */
  async isBlocked(emailKey: string, ipAddress: string): Promise<boolean> {
    const blocked = await this.counts.isBlocked(this.keyOf(emailKey, ipAddress), this.allNetworksKey);
    if (blocked) this.refusals.inc({});
    return blocked;
  }

  /**
   * Counts a wrong password, and records its series at milestones. Must not be called for a blocked
   * attempt: anyone on the same network could otherwise keep the account blocked. Locks the
   * account, the row of all networks, so that only one of several parallel failures finds a series
   * to end, and then the row of this network.
   */
  async recordFailure(emailKey: string, ipAddress: string): Promise<void> {
    const key = this.keyOf(emailKey, ipAddress);
    const { account, network } = key;
    await this.database.transaction(async () => {
      const owner = await this.counts.findOwnerForShare(emailKey);
      const ofAllNetworks = await this.counts.countOfAllNetworks(this.keyOfAll(emailKey), owner);
      const ended = await this.counts.findSeriesForUpdate(account, network, SERIES_QUIET_SECONDS);
      const ofNetwork = await this.counts.countOfNetwork(key, owner);
      await this.failedSignIns.recordProgress(owner, {
        networkKey: network,
        ended,
        ofNetwork,
        ofAllNetworks,
      });
    });
  }

  /**
   * Resets the counts of this network and of all networks together, trusts this network for three
   * months, and ends its series, if there is one. Never call it in a transaction: it locks rows of
   * the throttle before the account.
   */
  async recordSuccess(emailKey: string, ipAddress: string): Promise<void> {
    const key = this.keyOf(emailKey, ipAddress);
    await this.resetAllNetworks(emailKey);
    if (await this.counts.trust(key, false)) return;
    await this.database.transaction(async () => {
      const owner = await this.counts.findOwnerForShare(emailKey);
      const ended = await this.counts.findSeriesForUpdate(key.account, key.network, null);
      await this.counts.trust(key, true);
      await this.failedSignIns.recordEnd(owner, ended, key.network);
    });
  }

  /** Resets the count of all networks together. Those of each network stay. */
  async resetAllNetworks(emailKey: string): Promise<void> {
    await this.counts.deleteOne(this.keyOfAll(emailKey));
  }

  /** Resets the failures of an address from all networks. Trusted networks stay trusted. */
  @OnLifecycle('account.password-reset', { order: LOCK.accounts })
  async resetFailures({ emailKey }: { emailKey: string }): Promise<void> {
    await this.lockFailuresForUpdate(emailKey);
    await this.failedSignIns.endSeries(this.accountKeys(emailKey));
    await this.counts.reset(this.accountKeys(emailKey));
  }

  /** Removes the counts and trusted networks of an erased account, by address and by id. */
  @OnLifecycle('account.erased', { order: LOCK.accounts })
  async deleteOfAccount({ userId, emailKey }: LifecycleEvents['account.erased']): Promise<void> {
    for (const key of [secondFactorKeyOf(userId), ...(emailKey === null ? [] : [emailKey])])
      await this.delete(key);
  }

  /** Removes the counts and trusted networks of an address that an account no longer has. */
  @OnLifecycle('account.email-changed', { order: LOCK.accounts })
  async deleteOfAddress({ formerEmailKey }: LifecycleEvents['account.email-changed']): Promise<void> {
    if (formerEmailKey === null) return;
    await this.lockFailuresForUpdate(formerEmailKey);
    await this.failedSignIns.endSeries(this.accountKeys(formerEmailKey));
    await this.delete(formerEmailKey);
  }

  /** Returns whether attempts of this network have to wait, whatever other networks have done. */
  isNetworkBlocked(emailKey: string, ipAddress: string): Promise<boolean> {
    return this.counts.isNetworkBlocked(this.keyOf(emailKey, ipAddress));
  }

  private async delete(key: string): Promise<void> {
    await this.lockFailuresForUpdate(key);
    await this.counts.delete(this.accountKeys(key));
  }

  private async lockFailuresForUpdate(emailKey: string): Promise<void> {
    await this.counts.lockForUpdate(this.accountKeys(emailKey), this.hashesOf(ALL_NETWORKS));
  }

  private keyOf(emailKey: string, ipAddress: string): ThrottleKey {
    const [network] = this.hashesOf(`network:${networkOf(ipAddress)}`);
    return { account: this.accountKeys(emailKey)[0], network };
  }

  private keyOfAll(emailKey: string): ThrottleKey {
    return { account: this.accountKeys(emailKey)[0], network: this.allNetworksKey };
  }

  private accountKeys(emailKey: string): [Buffer, ...Buffer[]] {
    return this.hashesOf(`account:${emailKey}`);
  }

  private get allNetworksKey(): Buffer {
    return this.hashesOf(ALL_NETWORKS)[0];
  }

  /**
   * @returns the key to count under; then, after a change of the root secret, the key under which
   *   was counted before
   */
  private hashesOf(text: string): [Buffer, ...Buffer[]] {
    return keyedHashes(this.keys, 'login-throttle', text);
  }
}

/**
 * Returns the key under which wrong second factors of an account count, in place of its address:
 * the right password, which resets the one count, must not reset the other.
 */
export const secondFactorKeyOf = (userId: UserId): string => `second-factor:${userId}`;
