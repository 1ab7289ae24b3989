import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { Cleanup } from '../../../platform/cleanup/index.js';
import type { UserId } from '../../../kernel/index.js';
import type { SignInFailures } from '../../audit/audit-details.entity.js';
import { AuditTrail, recordEach, type AuditEvent } from '../../audit/audit-trail.js';

const ACTION = 'account.sign-in-failed';
/** A series ends after an hour without another failure. */
export const SERIES_QUIET_SECONDS = 3_600;
const BATCH_ROWS = 500;

const timeOf = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const FIRST = timeOf('t.series_began_at');
const LAST = timeOf('t.series_failed_at');
/** SQL of the event details of a series, from a row of `login_throttles` as `t`. */
const detailsOf = (count: string, network: string, ended: boolean): string =>
  `jsonb_build_object('count', ${count}, 'firstAt', ${FIRST}, 'lastAt', ${LAST}, 'network', ${network}, 'ended', ${ended})`;
const NETWORK = `encode(t.network_key, 'hex')`;

/**
 * SQL condition: a count is `first` times a power of two. The number of events so grows with the
 * logarithm of the number of guesses.
 */
const isMilestone = (count: string, first: number): string =>
  `${count} % ${first} = 0 AND (${count} / ${first}) & (${count} / ${first} - 1) = 0`;
const FIRST_MILESTONE = 5;
const FIRST_MILESTONE_OF_ALL = 25;

/**
 * SQL of a WITH query that finds the account of an address. Locks it, so that no event is written
 * after an erasure. The statement is the same for an address without an account.
 * @param emailKey the parameter with the address, such as `$1`
 */
export const ownerOf = (emailKey: string): string =>
  `owner AS MATERIALIZED (SELECT id FROM accounts WHERE email_key = ${emailKey} FOR KEY SHARE)`;

/**
 * SQL that records the series found by the query `ended`. Follows {@link ownerOf} in a statement
 * that ends a series.
 * @param id the parameter with the id of the event
 */
export const recordEnded = (id: string): string =>
  recordEach(`SELECT ${id}::text AS id, owner.id AS account_id, '${ACTION}' AS action,
    ${detailsOf('t.series_failures', NETWORK, true)} AS details FROM ended t, owner`);

/**
 * SQL that records the series found by the query `ended`, and the series of this network in
 * `counted` and of all networks in `everywhere` that have reached a milestone. Follows
 * {@link ownerOf} in a statement that counts a failure.
 * @param ids the parameters with the ids of three events
 */
export const recordCounted = (ids: readonly [string, string, string]): string =>
  recordEach(`SELECT ${ids[0]}::text AS id, owner.id AS account_id, '${ACTION}' AS action,
      ${detailsOf('t.series_failures', NETWORK, true)} AS details FROM ended t, owner
    UNION ALL SELECT ${ids[1]}::text, owner.id, '${ACTION}', ${detailsOf('t.series_failures', NETWORK, false)} FROM counted t, owner
      WHERE ${isMilestone('t.series_failures', FIRST_MILESTONE)}
    UNION ALL SELECT ${ids[2]}::text, owner.id, '${ACTION}', ${detailsOf('t.failures', 'NULL', false)} FROM everywhere t, owner
      WHERE ${isMilestone('t.failures', FIRST_MILESTONE_OF_ALL)}`);

interface Series {
  readonly accountKey: Buffer;
  readonly networkKey: Buffer;
  readonly accountId: UserId;
  readonly details: SignInFailures;
}

const SERIES = `t.account_key AS "accountKey", t.network_key AS "networkKey", t.account_id AS "accountId",
  ${detailsOf('t.series_failures', NETWORK, true)} AS details`;

/**
 * Records series of wrong passwords for one account from one network in the audit trail: at 5, 10,
 * 20 and so on while a series goes on, and once more when the right password or an hour without a
 * failure has ended it. An event per guess would let an attacker fill the trail.
 */
@Injectable()
export class FailedSignIns {
  constructor(
    private readonly database: Database,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Lists the newest events about an account.
   * @param limit maximum number of events
   */
  list(accountId: UserId, limit: number): Promise<AuditEvent[]> {
    return this.audit.listDetailed(accountId, limit);
  }

  /** Ends the series of an address. Joins the open transaction, which has locked the account. */
  async endSeries(accountKeys: readonly Buffer[]): Promise<void> {
    await this.record(
      await this.database.rows<Series>(
        `SELECT ${SERIES} FROM login_throttles t
         WHERE t.account_key = ANY($1) AND t.series_failures > 0 AND t.account_id IS NOT NULL FOR UPDATE`,
        [accountKeys],
      ),
    );
  }

  /**
   * Ends the series without a failure in the last hour. Skips those whose account is locked: the
   * next run ends them.
   * @returns whether there may be more, for which the job has to run again
   */
  @Cleanup()
  endQuietSeries(): Promise<boolean> {
    return this.database.transaction(async () => {
      const quiet = await this.database.rows<Series>(
        `SELECT ${SERIES} FROM login_throttles t JOIN accounts a ON a.id = t.account_id
         WHERE t.series_failures > 0 AND t.series_failed_at < now() - make_interval(secs => $1)
         ORDER BY t.series_failed_at LIMIT $2 FOR UPDATE OF t SKIP LOCKED FOR KEY SHARE OF a SKIP LOCKED`,
        [SERIES_QUIET_SECONDS, BATCH_ROWS],
      );
      await this.record(quiet);
      return quiet.length === BATCH_ROWS;
    });
  }

  private async record(series: readonly Series[]): Promise<void> {
    if (series.length === 0) return;
    const event = ({ accountId, details }: Series) => ({
      actorId: accountId,
      action: ACTION,
      subject: `iam/accounts/${accountId}`,
      details,
    });
    await this.audit.record(...series.map(event));
    await this.database.rows(
      `UPDATE login_throttles SET series_failures = 0
       WHERE (account_key, network_key) IN (SELECT * FROM unnest($1::bytea[], $2::bytea[]))`,
      [series.map(({ accountKey }) => accountKey), series.map(({ networkKey }) => networkKey)],
    );
  }
}
