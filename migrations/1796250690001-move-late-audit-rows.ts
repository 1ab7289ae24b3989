import type { MigrationInterface, QueryRunner } from 'typeorm';

/** @param late what to do where rows of a month are in the last partition already */
const addPartitions = (declared: string, late: string, attachLater: string): string => `
CREATE OR REPLACE FUNCTION add_audit_partitions(until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  month timestamp;
  lower text COLLATE "C";
  upper text COLLATE "C";
  ${declared}
BEGIN
  SELECT substring(pg_get_expr(relpartbound, oid) FROM 'FROM \\(''(\\w+)''\\)') INTO lower FROM pg_class WHERE oid = 'audit_events_later'::regclass;
  FOR month IN SELECT generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'), until AT TIME ZONE 'UTC', '1 month') LOOP
    upper := first_id_at((month + interval '1 month') AT TIME ZONE 'UTC');
    CONTINUE WHEN upper <= lower;
    ${late}
    FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_details', 'audit_entries'] LOOP
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, parent || '_later');
      PERFORM attach_audit_partition(parent, to_char(month, 'YYYY_MM'), lower, upper);
      ${attachLater}
    END LOOP;
    lower := upper;
  END LOOP;
END $$;
`;

const HAS_LATE_ROWS = `EXISTS (SELECT 1 FROM audit_events_later WHERE id < upper) OR EXISTS (SELECT 1 FROM audit_entries_later WHERE event_id < upper)
      OR EXISTS (SELECT 1 FROM audit_details_later WHERE event_id < upper)`;

const ATTACH = `PERFORM attach_audit_partition(parent, 'later', upper, NULL);`;

const UP = addPartitions(
  'has_late_rows boolean;',
  `has_late_rows := ${HAS_LATE_ROWS};
    -- Requests wait while they are moved: more stay in the last partition, which then gets all that follows.
    EXIT WHEN has_late_rows AND ((SELECT count(*) FROM (SELECT FROM audit_events_later LIMIT 10001) AS late) > 10000
      OR (SELECT count(*) FROM (SELECT FROM audit_entries_later LIMIT 10001) AS late) > 10000);`,
  `IF has_late_rows THEN
        EXECUTE format('ALTER TABLE %I RENAME TO %I', parent || '_later', parent || '_moving');
        ${ATTACH}
        EXECUTE format('INSERT INTO %I SELECT * FROM %I', parent, parent || '_moving');
        EXECUTE format('DROP TABLE %I', parent || '_moving');
      ELSE
        ${ATTACH}
      END IF;`,
);

const DOWN = addPartitions(
  '',
  `-- Rows of this month are in the last partition already, which keeps them.
    EXIT WHEN ${HAS_LATE_ROWS};`,
  ATTACH,
);

/**
 * Moves the events into a new partition that were recorded before it existed, as after a pause of
 * months, or by a clock that was ahead: no partition was made any more (ADR 73).
 */
export class MoveLateAuditRows1796250690001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
