import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { Database, prepared } from '../../../platform/database/index.js';

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

/** A series ends after an hour without another failure. */
export const SERIES_QUIET_SECONDS = 3_600;

/** Failures in a row, from one network or from all together. */
export interface Series {
  readonly count: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** A series of one network, with the keys of its row. */
export interface SeriesOfNetwork extends Series {
  readonly accountKey: Buffer;
  readonly networkKey: Buffer;
  readonly accountId: UserId;
}

const COLUMNS = `t.account_key AS "accountKey", t.network_key AS "networkKey", t.account_id AS "accountId",
  t.series_failures AS count, t.series_began_at AS "firstAt", t.series_failed_at AS "lastAt"`;

const FIND = prepared(
  `SELECT ${COLUMNS} FROM login_throttles t
   WHERE t.account_key = $1 AND t.network_key = $2 AND t.series_failures > 0
     AND ($3::float8 IS NULL OR t.series_failed_at < now() - make_interval(secs => $3)) FOR UPDATE`,
);

const LOCK_OWNER = prepared('SELECT id FROM accounts WHERE email_key = $1 FOR KEY SHARE');

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
     expires_at = excluded.expires_at, trusted_until = excluded.trusted_until, series_failures = 0
   WHERE $4 OR login_throttles.series_failures = 0
   RETURNING 1`,
);

/**
 * Failures by account and network, series of them, and networks that are trusted after a success.
 */
@Injectable()
@RemovesExpired({
  table: 'login_throttles',
  key: 'account_key, network_key',
  // A series has to be recorded before its row is removed.
  when: '(expires_at < now() AND (account_id IS NULL OR series_failures = 0))',
})
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

  /**
   * Resets the failures of a network, and trusts it.
   * @param endsSeries whether also with a series of failures, which the caller has recorded
   * @returns whether it has done so
   */
  async trust({ account, network }: ThrottleKey, endsSeries: boolean): Promise<boolean> {
    const parameters = [account, network, TRUSTED_NETWORK_TTL_SECONDS, endsSeries];
    return (await this.database.row(TRUST, parameters)) !== null;
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

  /**
   * Finds and locks the account of an address, so that no event is written after an erasure.
   * @returns null without an account
   */
  async findOwnerForShare(emailKey: string): Promise<UserId | null> {
    return (await this.database.row<{ id: UserId }>(LOCK_OWNER, [emailKey]))?.id ?? null;
  }

  /**
   * Finds and locks the series of a network.
   * @param quietSeconds only if it had no failure for this time; null for any
   */
  findSeriesForUpdate(account: Buffer, network: Buffer, quietSeconds: number | null): Promise<Series | null> {
    return this.database.row<Series>(FIND, [account, network, quietSeconds]);
  }

  /** Lists and locks all series of an address that has an account. */
  listSeriesForUpdate(accounts: readonly Buffer[]): Promise<SeriesOfNetwork[]> {
    return this.database.rows(
      `SELECT ${COLUMNS} FROM login_throttles t
       WHERE t.account_key = ANY($1) AND t.series_failures > 0 AND t.account_id IS NOT NULL FOR UPDATE`,
      [accounts],
    );
  }

  /**
   * Lists and locks series without a failure in the last hour, with their accounts. Skips those
   * that are locked.
   */
  listQuietSeriesForUpdate(limit: number): Promise<SeriesOfNetwork[]> {
    return this.database.rows(
      `SELECT ${COLUMNS} FROM login_throttles t JOIN accounts a ON a.id = t.account_id
       WHERE t.series_failures > 0 AND t.series_failed_at < now() - make_interval(secs => $1)
       ORDER BY t.series_failed_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED FOR KEY SHARE OF a SKIP LOCKED`,
      [SERIES_QUIET_SECONDS, limit],
    );
  }

  /** Resets series that have been recorded. */
  async resetSeries(series: readonly SeriesOfNetwork[]): Promise<void> {
    await this.database.rows(
      `UPDATE login_throttles SET series_failures = 0
       WHERE (account_key, network_key) IN (SELECT * FROM unnest($1::bytea[], $2::bytea[]))`,
      [series.map(({ accountKey }) => accountKey), series.map(({ networkKey }) => networkKey)],
    );
  }
}
