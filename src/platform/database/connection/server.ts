const READ_ONLY = `pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean AS "readOnly"`;
const FULL_SERVER = `SELECT system_identifier::text AS system, ${READ_ONLY},
  CASE WHEN pg_is_in_recovery() THEN 0
    ELSE ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int END AS timeline`;
/** For an engine or a role that does not tell more. */
export const PLAIN_SERVER = `SELECT '' AS system, ${READ_ONLY}, 0 AS timeline`;

/** Asks a server which one it is. */
export const DESCRIBE = { full: `${FULL_SERVER} FROM pg_control_system()`, plain: PLAIN_SERVER };
/** The same with a commit of a record in its log, for which it waits as for any other commit. */
export const COMMIT = {
  full: `${FULL_SERVER}, CASE WHEN NOT pg_is_in_recovery() THEN pg_logical_emit_message(true, 'gatehouse', '') END
    FROM pg_control_system()`,
  plain: `${PLAIN_SERVER}, CASE WHEN NOT pg_is_in_recovery() THEN pg_current_xact_id() END`,
};

/** Row of {@link DESCRIBE} and {@link COMMIT}. */
export interface Server {
  /** The same for a primary and its standbys. */
  readonly system: string;
  /** Number that each promotion of a standby raises; 0 of a standby. */
  readonly timeline: number;
  readonly readOnly: boolean;
}

/** A standby, or a former primary which still runs. The code makes it a 503, as 25006 is. */
export class NotPrimary extends Error {
  override readonly name = 'NotPrimary';
  readonly code = '25006'; // read_only_sql_transaction
}
