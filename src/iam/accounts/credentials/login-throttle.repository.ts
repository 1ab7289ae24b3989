import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import { Database, prepared } from '../../../platform/database/index.js';
import { type Series, SERIES_QUIET_SECONDS } from './sign-in-series.repository.js';

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

/** Keyed hashes of an account's address, and of a network or of all networks together. */
export interface ThrottleKey {
  readonly account: Buffer;
  readonly network: Buffer;
}

const IS_BLOCKED = prepared(
  `SELECT coalesce(bool_or(network_key = $2 AND blocked_until > now()), false)
       OR coalesce(bool_or(network_key = $3 AND failures >= $4 AND expires_at > now()), false)
         AND NOT coalesce(bool_or(network_key = $2 AND trusted_until > now()), false) AS blocked
   FROM login_throttles WHERE account_key = $1 AND network_key IN ($2, $3)`,
);

const NO_SERIES = 't.series_failed_at IS NULL OR t.failures = 0 OR t.expires_at < now()';
const IS_SERIES_OVER = 't.series_failed_at < now() - make_interval(secs => $5)';
const RETURNED = 'series_began_at AS "firstAt", series_failed_at AS "lastAt"';

/**
 * Unblocked is '-infinity' and not now(): a concurrent transaction's now() may be slightly earlier
 * than this one's.
 */
const COUNT_OF_ALL_NETWORKS = prepared(
  `INSERT INTO login_throttles AS t (account_key, network_key, failures, blocked_until, expires_at, account_id,
     series_failures, series_began_at, series_failed_at)
   VALUES ($1, $2, 1, '-infinity', now() + make_interval(secs => $4), $3, 0, now(), now())
   ON CONFLICT (account_key, network_key) DO UPDATE SET
     failures = CASE WHEN t.expires_at < now() THEN 1 ELSE t.failures + 1 END,
     blocked_until = '-infinity',
     expires_at = greatest(excluded.expires_at, t.trusted_until),
     account_id = excluded.account_id,
     series_failures = 0,
     series_began_at = CASE WHEN ${NO_SERIES} THEN now() ELSE t.series_began_at END,
     series_failed_at = now()
   RETURNING failures AS count, ${RETURNED}`,
);

const COUNT_OF_NETWORK = prepared(
  `INSERT INTO login_throttles AS t (account_key, network_key, failures, blocked_until, expires_at, account_id,
     series_failures, series_began_at, series_failed_at)
   VALUES ($1, $2, 1, '-infinity', now() + make_interval(secs => $4), $3, 1, now(), now())
   ON CONFLICT (account_key, network_key) DO UPDATE SET
     failures = CASE WHEN t.expires_at < now() THEN 1 ELSE t.failures + 1 END,
     blocked_until = CASE WHEN t.expires_at >= now() AND t.failures + 1 >= ${MIN_FAILURES_TO_BLOCK}
       THEN now() + make_interval(secs => least(${MAX_BLOCK_SECONDS}, power(2, least(t.failures + 1 - ${MIN_FAILURES_TO_BLOCK}, 10))))
       ELSE '-infinity' END,
     expires_at = greatest(excluded.expires_at, t.trusted_until),
     account_id = excluded.account_id,
     series_failures = CASE WHEN ${IS_SERIES_OVER} THEN 1 ELSE t.series_failures + 1 END,
     series_began_at = CASE WHEN ${NO_SERIES} OR t.series_failures = 0 OR ${IS_SERIES_OVER} THEN now() ELSE t.series_began_at END,
     series_failed_at = now()
   RETURNING series_failures AS count, ${RETURNED}`,
);

const TRUST = prepared(
  `INSERT INTO login_throttles (account_key, network_key, failures, blocked_until, expires_at, trusted_until)
   VALUES ($1, $2, 0, '-infinity', now() + make_interval(secs => $3), now() + make_interval(secs => $3))
   ON CONFLICT (account_key, network_key) DO UPDATE SET failures = 0, blocked_until = excluded.blocked_until,
     expires_at = excluded.expires_at, trusted_until = excluded.trusted_until, series_failures = 0`,
);

/** Failures by account and network, and networks that are trusted after a success. */
@Injectable()
export class LoginThrottleRepository {
  constructor(private readonly database: Database) {}

  /** Returns whether a network is blocked, by its failures or the failures of all networks. */
  async isBlocked({ account, network }: ThrottleKey, allNetworks: Buffer): Promise<boolean> {
    const parameters = [account, network, allNetworks, MAX_FAILURES_OF_ALL_NETWORKS];
    return (await this.database.getRow<{ blocked: boolean }>(IS_BLOCKED, parameters)).blocked;
  }

  /** Returns whether a network is blocked by its own failures. */
  async isNetworkBlocked({ account, network }: ThrottleKey): Promise<boolean> {
    const blocked = await this.database.row(
      'SELECT 1 FROM login_throttles WHERE account_key = $1 AND network_key = $2 AND blocked_until > now()',
      [account, network],
    );
    return blocked !== null;
  }

  /** Counts a failure of all networks together, and locks their row. @returns the failures */
  countOfAllNetworks({ account, network }: ThrottleKey, owner: UserId | null): Promise<Series> {
    const parameters = [account, network, owner, ALL_NETWORKS_FAILURE_TTL_SECONDS];
    return this.database.getRow<Series>(COUNT_OF_ALL_NETWORKS, parameters);
  }

  /** Counts a failure of a network, and blocks it after some. @returns the series that goes on */
  countOfNetwork({ account, network }: ThrottleKey, owner: UserId | null): Promise<Series> {
    const parameters = [account, network, owner, FAILURE_TTL_SECONDS, SERIES_QUIET_SECONDS];
    return this.database.getRow<Series>(COUNT_OF_NETWORK, parameters);
  }

  /** Resets the failures of a network and its series, and trusts it. */
  async trust({ account, network }: ThrottleKey): Promise<void> {
    await this.database.rows(TRUST, [account, network, TRUSTED_NETWORK_TTL_SECONDS]);
  }

  /** Removes one row: of a network, or of all networks together. */
  async deleteOne({ account, network }: ThrottleKey): Promise<void> {
    await this.database.rows(
      prepared('DELETE FROM login_throttles WHERE account_key = $1 AND network_key = $2'),
      [account, network],
    );
  }

  /** Resets the failures from all networks. Trusted networks stay trusted. */
  async reset(accounts: readonly Buffer[]): Promise<void> {
    await this.database.rows(
      "UPDATE login_throttles SET failures = 0, blocked_until = '-infinity' WHERE account_key = ANY($1)",
      [accounts],
    );
  }

  /** Removes the counts and trusted networks of an address. */
  async delete(accounts: readonly Buffer[]): Promise<void> {
    await this.database.rows('DELETE FROM login_throttles WHERE account_key = ANY($1)', [accounts]);
  }

  /**
   * Locks the rows of all networks. A failure locks such a row before the row of its own network,
   * so a transaction that locks all rows of an account must lock it first too, to avoid deadlocks.
   */
  async lockForUpdate(accounts: readonly Buffer[], allNetworks: readonly Buffer[]): Promise<void> {
    await this.database.rows(
      'SELECT 1 FROM login_throttles WHERE account_key = ANY($1) AND network_key = ANY($2) ORDER BY account_key FOR UPDATE',
      [accounts, allNetworks],
    );
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
}
