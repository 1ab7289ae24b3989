import { Inject, Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHashes } from '../../../platform/crypto/index.js';
import { Database, prepared } from '../../../platform/database/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { OnLifecycle } from '../../../platform/lifecycle/index.js';
import { type LifecycleEvents, newId, type UserId } from '../../../kernel/index.js';
import { networkOf } from '../../../platform/web/index.js';
import { type Count, Metrics } from '../../../platform/observability/index.js';
import {
  FailedSignIns,
  ownerOf,
  recordCounted,
  recordEnded,
  SERIES_QUIET_SECONDS,
} from './failed-sign-ins.js';

/** Number of failures of one network from which on its next attempt is blocked for a while. */
const MIN_FAILURES_TO_BLOCK = 5;
const MAX_BLOCK_SECONDS = 30;
/** Failures of one network expire after an hour without another one. */
const FAILURE_TTL_SECONDS = 3_600;
/**
 * After this number of consecutive failures from all networks together, only networks with an
 * earlier successful login may try (NIST SP 800-63B-4 section 3.2.2).
 */
const MAX_FAILURES_OF_ALL_NETWORKS = 100;
const ALL_NETWORKS_FAILURE_TTL_SECONDS = 30 * 86_400;
const TRUSTED_NETWORK_TTL_SECONDS = 90 * 86_400;
/** Name of all networks together. It is hashed into stored keys and must not change. */
const ALL_NETWORKS = 'everywhere';

const COLUMNS =
  'account_key, network_key, failures, blocked_until, expires_at, account_id, series_failures, series_began_at, series_failed_at';
/** What one more failure sets in a row that is already there, of one network or of all. */
const ONE_MORE = `
  failures = CASE WHEN t.expires_at < now() THEN 1 ELSE t.failures + 1 END,
  expires_at = greatest(excluded.expires_at, t.trusted_until),
  account_id = excluded.account_id,
  series_failed_at = now()`;
const NO_SERIES = 't.series_failed_at IS NULL OR t.failures = 0 OR t.expires_at < now()';
const RESET_ALL_NETWORKS = prepared(
  'DELETE FROM login_throttles WHERE account_key = $1 AND network_key = $2',
);
/** As `$9` of the statement in {@link LoginThrottle.recordFailure}. */
const SERIES_OVER = 't.series_failed_at < now() - make_interval(secs => $9)';

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
    private readonly series: FailedSignIns,
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
    const { blocked } = await this.database.getRow<{ blocked: boolean }>(
      `SELECT coalesce(bool_or(network_key = $2 AND blocked_until > now()), false)
           OR coalesce(bool_or(network_key = $3 AND failures >= $4 AND expires_at > now()), false)
             AND NOT coalesce(bool_or(network_key = $2 AND trusted_until > now()), false) AS blocked
       FROM login_throttles WHERE account_key = $1 AND network_key IN ($2, $3)`,
      [...this.keysOf(emailKey, ipAddress), this.allNetworksKey, MAX_FAILURES_OF_ALL_NETWORKS],
    );
    if (blocked) this.refusals.inc({});
    return blocked;
  }

  /**
   * Counts a wrong password, and records its series at milestones. Must not be called for a blocked
   * attempt: anyone on the same network could otherwise keep the account blocked.
   */
  async recordFailure(emailKey: string, ipAddress: string): Promise<void> {
    const [account, network] = this.keysOf(emailKey, ipAddress);
    // Locks the account, the row of all networks (see lockFailuresForUpdate), then the row of this
    // network. `ended` locks it too: only one of several parallel failures finds a series to end.
    // Unblocked is '-infinity' and not now(): a concurrent transaction's now() may be slightly
    // earlier than this one's.
    await this.database.rows(
      `WITH ${ownerOf('$8')},
       everywhere AS (
         INSERT INTO login_throttles AS t (${COLUMNS})
         VALUES ($1, $2, 1, '-infinity', now() + make_interval(secs => $7), (SELECT id FROM owner), 0, now(), now())
         ON CONFLICT (account_key, network_key) DO UPDATE SET
           ${ONE_MORE},
           blocked_until = '-infinity',
           series_failures = 0,
           series_began_at = CASE WHEN ${NO_SERIES} THEN now() ELSE t.series_began_at END
         RETURNING t.*),
       ended AS (
         SELECT t.* FROM everywhere, login_throttles t WHERE t.account_key = $1 AND t.network_key = $3 AND t.series_failures > 0
           AND ${SERIES_OVER}
         FOR UPDATE OF t),
       counted AS (
         INSERT INTO login_throttles AS t (${COLUMNS})
         SELECT $1, $3, 1, '-infinity', now() + make_interval(secs => $6), (SELECT id FROM owner), 1, now(), now() FROM (SELECT count(*) FROM ended) AS locked
         ON CONFLICT (account_key, network_key) DO UPDATE SET
           ${ONE_MORE},
           blocked_until = CASE WHEN t.expires_at >= now() AND t.failures + 1 >= $4
             THEN now() + make_interval(secs => least($5, power(2, least(t.failures + 1 - $4, 10)))) ELSE '-infinity' END,
           series_failures = CASE WHEN ${SERIES_OVER} THEN 1 ELSE t.series_failures + 1 END,
           series_began_at = CASE WHEN ${NO_SERIES} OR t.series_failures = 0 OR ${SERIES_OVER} THEN now() ELSE t.series_began_at END
         RETURNING t.*),
       ${recordCounted(['$10', '$11', '$12'])}`,
      [
        account,
        this.allNetworksKey,
        network,
        MIN_FAILURES_TO_BLOCK,
        MAX_BLOCK_SECONDS,
        FAILURE_TTL_SECONDS,
        ALL_NETWORKS_FAILURE_TTL_SECONDS,
        emailKey,
        SERIES_QUIET_SECONDS,
        newId(),
        newId(),
        newId(),
      ],
    );
  }

  /**
   * Resets the counts of this network and of all networks together, and trusts this network for
   * {@link TRUSTED_NETWORK_TTL_SECONDS}.
   */
  async recordSuccess(emailKey: string, ipAddress: string): Promise<void> {
    const [account, network] = this.keysOf(emailKey, ipAddress);
    await this.resetAllNetworks(emailKey);
    await this.database.rows(
      `WITH ${ownerOf('$4')},
       ended AS (
         SELECT t.* FROM owner, login_throttles t WHERE t.account_key = $1 AND t.network_key = $2 AND t.series_failures > 0
         FOR UPDATE OF t),
       trusted AS (
         INSERT INTO login_throttles (account_key, network_key, failures, blocked_until, expires_at, trusted_until)
         SELECT $1, $2, 0, '-infinity', now() + make_interval(secs => $3), now() + make_interval(secs => $3) FROM (SELECT count(*) FROM ended) AS locked
         ON CONFLICT (account_key, network_key) DO UPDATE SET failures = 0, blocked_until = excluded.blocked_until,
           expires_at = excluded.expires_at, trusted_until = excluded.trusted_until, series_failures = 0),
       ${recordEnded('$5')}`,
      [account, network, TRUSTED_NETWORK_TTL_SECONDS, emailKey, newId()],
    );
  }

  /** Resets the count of all networks together. Those of each network stay. */
  async resetAllNetworks(emailKey: string): Promise<void> {
    await this.database.rows(RESET_ALL_NETWORKS, [this.accountKeys(emailKey)[0], this.allNetworksKey]);
  }

  /** Resets the failures of an address from all networks. Trusted networks stay trusted. */
  @OnLifecycle('account.password-reset')
  async resetFailures({ emailKey }: { emailKey: string }): Promise<void> {
    await this.lockFailuresForUpdate(emailKey);
    await this.series.endSeries(this.accountKeys(emailKey));
    await this.database.rows(
      "UPDATE login_throttles SET failures = 0, blocked_until = '-infinity' WHERE account_key = ANY($1)",
      [this.accountKeys(emailKey)],
    );
  }

  /** Removes the counts and trusted networks of an erased account, by address and by id. */
  @OnLifecycle('account.erased')
  async deleteOfAccount({ userId, emailKey }: LifecycleEvents['account.erased']): Promise<void> {
    for (const key of [secondFactorKeyOf(userId), ...(emailKey === null ? [] : [emailKey])])
      await this.delete(key);
  }

  /** Removes the counts and trusted networks of an address that an account no longer has. */
  @OnLifecycle('account.email-changed')
  async deleteOfAddress({ formerEmailKey }: LifecycleEvents['account.email-changed']): Promise<void> {
    if (formerEmailKey === null) return;
    await this.lockFailuresForUpdate(formerEmailKey);
    await this.series.endSeries(this.accountKeys(formerEmailKey));
    await this.delete(formerEmailKey);
  }

  /** Returns whether attempts of this network have to wait, whatever other networks have done. */
  async isNetworkBlocked(emailKey: string, ipAddress: string): Promise<boolean> {
    const blocked = await this.database.row(
      'SELECT 1 FROM login_throttles WHERE account_key = $1 AND network_key = $2 AND blocked_until > now()',
      this.keysOf(emailKey, ipAddress),
    );
    return blocked !== null;
  }

  /** @returns whether expired rows are left, for which there was no time */
  @Cleanup()
  cleanUp(): Promise<boolean> {
    return this.database.removeInBatches({
      table: 'login_throttles',
      key: 'account_key, network_key',
      // A series has to be recorded before its row is removed.
      when: '(expires_at < now() AND (account_id IS NULL OR series_failures = 0))',
    });
  }

  private async delete(key: string): Promise<void> {
    await this.lockFailuresForUpdate(key);
    await this.database.rows('DELETE FROM login_throttles WHERE account_key = ANY($1)', [
      this.accountKeys(key),
    ]);
  }

  /**
   * Locks the row of all networks. A failure locks it before the row of its own network, so a
   * transaction that locks all rows of an account must lock it first too, to avoid deadlocks.
   */
  private async lockFailuresForUpdate(emailKey: string): Promise<void> {
    await this.database.rows(
      'SELECT 1 FROM login_throttles WHERE account_key = ANY($1) AND network_key = ANY($2) ORDER BY account_key FOR UPDATE',
      [this.accountKeys(emailKey), this.hashesOf(ALL_NETWORKS)],
    );
  }

  private keysOf(emailKey: string, ipAddress: string): [Buffer, Buffer] {
    return [this.accountKeys(emailKey)[0], this.hashesOf(`network:${networkOf(ipAddress)}`)[0]];
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
