import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';

/** Months ahead for which partitions exist. */
const MONTHS_AHEAD = 3;
/** Requests wait behind it so long: less than deadlock_timeout, so that it gives way to them. */
const LOCK_TIMEOUT = '500ms';

/** Months of the audit trail: of its events, their details and their entries. */
export interface AuditPartition {
  /** End of the names of its tables. */
  readonly suffix: string;
  /** Lowest id that is too new for it. */
  readonly upper: string;
}

/** Partitions of the audit trail, by functions of the database that the migrations use too. */
@Injectable()
export class AuditPartitionRepository {
  constructor(private readonly database: Database) {}

  /** Makes the partitions of the coming months. */
  async add(): Promise<void> {
    const { missing } = await this.database.getRow<{ missing: boolean }>(
      `SELECT to_regclass('audit_events_' || to_char(now() AT TIME ZONE 'UTC' + interval '${MONTHS_AHEAD} months', 'YYYY_MM')) IS NULL AS missing`,
    );
    if (missing) await this.change(`add_audit_partitions(now() + interval '${MONTHS_AHEAD} months')`);
  }

  /** Lists the partitions of the past, oldest first. @param before lowest id of the present */
  list(before: string): Promise<AuditPartition[]> {
    return this.database.rows<AuditPartition>(
      `SELECT suffix, upper FROM (
         SELECT substr(c.relname, length('audit_events_') + 1) AS suffix, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(\\w+)''\\)') AS upper
         FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'audit_events'::regclass) AS p
       WHERE upper COLLATE "C" <= $1 ORDER BY upper COLLATE "C"`,
      [before],
    );
  }

  /** Returns whether every event of a partition is before the start of its chain. */
  async isOver({ suffix }: AuditPartition): Promise<boolean> {
    const { over } = await this.database.getRow<{ over: boolean }>(
      `SELECT NOT EXISTS (SELECT 1 FROM audit_chains c
           WHERE (SELECT true FROM audit_entries_${suffix} n WHERE n.tenant_id = c.tenant_id AND n.sequence > c.starts_after LIMIT 1) IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM audit_cursors c
           WHERE c.consumer = 'chain' AND (c.xid > pg_snapshot_xmax(pg_current_snapshot())
             OR (SELECT true FROM audit_events_${suffix} e WHERE (e.xid, e.id) > (c.xid, c.event_id) ORDER BY e.xid, e.id LIMIT 1) IS NOT NULL)) AS over`,
    );
    return over;
  }

  async isEmpty({ suffix }: AuditPartition): Promise<boolean> {
    return (await this.database.row(`SELECT 1 FROM audit_events_${suffix} LIMIT 1`)) === null;
  }

  /** Drops the partitions up to one. The first one then covers their ids. */
  async dropUpTo({ upper }: AuditPartition): Promise<void> {
    await this.change('drop_audit_partitions($1)', [upper]);
  }

  private async change(call: string, parameters: readonly unknown[] = []): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.rows(`SELECT set_config('lock_timeout', '${LOCK_TIMEOUT}', true)`);
      await this.database.rows(
        'LOCK TABLE audit_events, audit_details, audit_entries IN ACCESS EXCLUSIVE MODE',
      );
      await this.database.rows(`SELECT ${call}`, parameters);
    });
  }
}
