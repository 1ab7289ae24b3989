import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { Database, prepared } from '../../../platform/database/index.js';

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

/** Series of failed sign-ins, in the rows of the throttle. */
@Injectable()
export class SignInSeriesRepository {
  constructor(private readonly database: Database) {}

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
  findForUpdate(account: Buffer, network: Buffer, quietSeconds: number | null): Promise<Series | null> {
    return this.database.row<Series>(FIND, [account, network, quietSeconds]);
  }

  /** Lists and locks all series of an address that has an account. */
  listForUpdate(accounts: readonly Buffer[]): Promise<SeriesOfNetwork[]> {
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
  listQuietForUpdate(limit: number): Promise<SeriesOfNetwork[]> {
    return this.database.rows(
      `SELECT ${COLUMNS} FROM login_throttles t JOIN accounts a ON a.id = t.account_id
       WHERE t.series_failures > 0 AND t.series_failed_at < now() - make_interval(secs => $1)
       ORDER BY t.series_failed_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED FOR KEY SHARE OF a SKIP LOCKED`,
      [SERIES_QUIET_SECONDS, limit],
    );
  }

  /** Resets series that have been recorded. */
  async reset(series: readonly SeriesOfNetwork[]): Promise<void> {
    await this.database.rows(
      `UPDATE login_throttles SET series_failures = 0
       WHERE (account_key, network_key) IN (SELECT * FROM unnest($1::bytea[], $2::bytea[]))`,
      [series.map(({ accountKey }) => accountKey), series.map(({ networkKey }) => networkKey)],
    );
  }
}
