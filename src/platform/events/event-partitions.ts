import { Injectable } from '@nestjs/common';
import { Cleanup } from '../cleanup/index.js';
import { Database } from '../database/index.js';

/** Days for which events are kept and listed. */
export const EVENT_DAYS = 30;

/** Partitioned tables. */
const TABLES = ['events', 'event_entries'] as const;
/** Months for which partitions exist, the current one included. */
const MONTHS_AHEAD = 3;

interface Partition {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

/** Creates the partitions of coming months and removes expired events. */
@Injectable()
export class EventPartitions {
  constructor(private readonly database: Database) {}

  /**
   * Creates and drops partitions. Rows in the default partition, which is empty as long as this
   * runs, are removed one by one.
   */
  @Cleanup()
  async maintain(): Promise<boolean> {
    for (const table of TABLES) {
      await this.createMissing(table);
      await this.dropExpired(table);
    }
    return this.database.removeInBatches(
      { table: 'events_default', key: 'created_at, id', when: EXPIRED },
      { table: 'event_entries_default', key: 'tenant_id, sequence, created_at', when: EXPIRED },
    );
  }

  /**
   * Attaches new partitions, which locks less of the table than creating them in place does. The
   * rows of a month that the default partition has already stay there.
   */
  private async createMissing(table: string): Promise<void> {
    const months = await this.database.rows<Partition>(
      `SELECT $1 || to_char(month, '_YYYY_MM') AS name, (month AT TIME ZONE 'UTC')::text AS "from", ((month + interval '1 month') AT TIME ZONE 'UTC')::text AS "to"
       FROM (SELECT date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => n) AS month FROM generate_series(0, ${MONTHS_AHEAD - 1}) AS n) AS months
       WHERE to_regclass($1 || to_char(month, '_YYYY_MM')) IS NULL`,
      [table],
    );
    for (const { name, from, to } of months) {
      const used = await this.database.row(
        `SELECT 1 FROM ${table}_default WHERE created_at >= $1 AND created_at < $2 LIMIT 1`,
        [from, to],
      );
      if (used) continue;
      await this.database.transaction(async () => {
        await this.database.rows(`CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL)`);
        await this.database.rows(
          `ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${to}')`,
        );
      });
    }
  }

  private async dropExpired(table: string): Promise<void> {
    const expired = await this.database.rows<{ name: string }>(
      `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
       WHERE i.inhparent = $1::regclass AND c.relname ~ '_\\d{4}_\\d{2}$'
         AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month ${EVENT_DAYS} days' < now() AT TIME ZONE 'UTC'`,
      [table],
    );
    for (const { name } of expired) await this.database.rows(`DROP TABLE ${name}`);
  }
}

const EXPIRED = `created_at < now() - interval '${EVENT_DAYS} days'`;
