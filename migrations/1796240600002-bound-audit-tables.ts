import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- Lowest id of a moment: an id is a ULID, which begins with the time.
CREATE FUNCTION first_id_at(moment timestamptz) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', (((extract(epoch FROM moment) * 1000)::bigint >> (5 * digit)) & 31)::int + 1, 1), '' ORDER BY digit DESC)
    || repeat('0', 16) FROM generate_series(0, 9) AS digit $$;

-- The rows of today become the first partition: all ids before the first month that begins in a week
-- or later, and that no id is of yet. Not validated here, as that reads the tables.
DO $$
DECLARE
  bound text;
BEGIN
  SELECT min(first_id_at(month AT TIME ZONE 'UTC') COLLATE "C") INTO bound
  FROM generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'), now() AT TIME ZONE 'UTC' + interval '10 years', '1 month') AS month
  WHERE month >= now() AT TIME ZONE 'UTC' + interval '7 days'
    AND first_id_at(month AT TIME ZONE 'UTC') COLLATE "C" > coalesce((SELECT max(id) FROM audit_events), '');
  IF bound IS NULL THEN
    RAISE EXCEPTION 'An event of the audit trail has an id of a time more than ten years ahead.';
  END IF;
  EXECUTE format('ALTER TABLE audit_events ADD CONSTRAINT audit_events_earlier_bound CHECK (id < %L) NOT VALID', bound);
  EXECUTE format('ALTER TABLE audit_entries ADD CONSTRAINT audit_entries_earlier_bound CHECK (event_id < %L) NOT VALID', bound);
  EXECUTE format('ALTER TABLE audit_details ADD CONSTRAINT audit_details_earlier_bound CHECK (event_id < %L) NOT VALID', bound);
END $$;
`;

const DOWN = `
ALTER TABLE audit_details DROP CONSTRAINT audit_details_earlier_bound;
ALTER TABLE audit_entries DROP CONSTRAINT audit_entries_earlier_bound;
ALTER TABLE audit_events DROP CONSTRAINT audit_events_earlier_bound;
DROP FUNCTION first_id_at;
`;

/** Prepares the partitions of the audit trail: locks each table for a moment (ADR 73). */
export class BoundAuditTables1796240600002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
