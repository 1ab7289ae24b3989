import type { MigrationInterface, QueryRunner } from 'typeorm';

const FUNCTIONS = `
-- Attaches a partition with the ids from lower on and below upper, null for no end; makes it if it is
-- missing. Statements name it too: it has the triggers of its parent.
CREATE FUNCTION attach_audit_partition(parent text, suffix text, lower text, upper text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || '_' || suffix;
BEGIN
  IF to_regclass(name) IS NULL THEN
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING ALL)', name, parent);
    EXECUTE format('CREATE TRIGGER append_only BEFORE UPDATE OR TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', name);
    IF parent = 'audit_entries' THEN
      EXECUTE format('ALTER TABLE %I ADD PRIMARY KEY (tenant_id, sequence)', name);
    END IF;
    IF parent = 'audit_events' THEN
      EXECUTE format('CREATE TRIGGER deleted_with_tenant AFTER DELETE ON %I REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION refuse_deletion_of_events()', name);
    END IF;
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent, name,
    coalesce(quote_literal(lower), 'MINVALUE'), coalesce(quote_literal(upper), 'MAXVALUE'));
END $$;

-- Makes partitions of the months up to a moment. The last partition has the ids behind them, and no rows.
CREATE FUNCTION add_audit_partitions(until timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  month timestamp;
  lower text COLLATE "C";
  upper text COLLATE "C";
BEGIN
  SELECT substring(pg_get_expr(relpartbound, oid) FROM 'FROM \\(''(\\w+)''\\)') INTO lower FROM pg_class WHERE oid = 'audit_events_later'::regclass;
  FOR month IN SELECT generate_series(date_trunc('month', now() AT TIME ZONE 'UTC'), until AT TIME ZONE 'UTC', '1 month') LOOP
    upper := first_id_at((month + interval '1 month') AT TIME ZONE 'UTC');
    CONTINUE WHEN upper <= lower;
    -- Rows of this month are in the last partition already, which keeps them.
    EXIT WHEN EXISTS (SELECT 1 FROM audit_events_later WHERE id < upper) OR EXISTS (SELECT 1 FROM audit_entries_later WHERE event_id < upper)
      OR EXISTS (SELECT 1 FROM audit_details_later WHERE event_id < upper);
    FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_details', 'audit_entries'] LOOP
      EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, parent || '_later');
      PERFORM attach_audit_partition(parent, to_char(month, 'YYYY_MM'), lower, upper);
      PERFORM attach_audit_partition(parent, 'later', upper, NULL);
    END LOOP;
    lower := upper;
  END LOOP;
END $$;

-- Drops the partitions with ids below a bound, which the first partition then covers without a row.
CREATE FUNCTION drop_audit_partitions(bound text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  parent text;
  name text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_details', 'audit_entries'] LOOP
    FOR name IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = parent::regclass AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''(\\w+)''\\)') COLLATE "C" <= bound
    LOOP
      EXECUTE format('DROP TABLE %I', name);
    END LOOP;
    PERFORM attach_audit_partition(parent, 'earlier', NULL, bound);
  END LOOP;
END $$;
`;

const UP = `
-- Less than deadlock_timeout: the migration gives way to a request that has locked in another order.
SET LOCAL lock_timeout = '500ms';
LOCK TABLE audit_events, audit_details, audit_entries IN ACCESS EXCLUSIVE MODE;

${FUNCTIONS}
DO $$
DECLARE
  parent text;
  key text;
  name text;
  bound text;
BEGIN
  SELECT substring(pg_get_constraintdef(oid) FROM '''(\\w+)''') INTO bound FROM pg_constraint
  WHERE conrelid = 'audit_events'::regclass AND conname = 'audit_events_earlier_bound';
  FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_details', 'audit_entries'] LOOP
    key := CASE parent WHEN 'audit_events' THEN 'id' ELSE 'event_id' END;
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, parent || '_earlier');
    FOR name IN SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = (parent || '_earlier')::regclass LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', name, replace(name, parent, parent || '_earlier'));
    END LOOP;
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS) PARTITION BY RANGE (%I)', parent, parent || '_earlier', key);
  END LOOP;

  ALTER TABLE audit_events ADD CONSTRAINT audit_events_pkey PRIMARY KEY (id);
  CREATE INDEX audit_events_account_idx ON audit_events (account_id, id);
  CREATE INDEX audit_events_tenant_idx ON audit_events (tenant_id, id) WHERE tenant_id IS NOT NULL;
  CREATE INDEX audit_events_tenant_action_idx ON audit_events (tenant_id, action, id) WHERE tenant_id IS NOT NULL;
  CREATE INDEX audit_events_tenant_actor_idx ON audit_events (tenant_id, account_id, id) WHERE tenant_id IS NOT NULL;
  CREATE INDEX audit_events_tenant_subject_idx ON audit_events (tenant_id, subject, id) WHERE tenant_id IS NOT NULL;
  CREATE INDEX audit_events_subject_idx ON audit_events (subject, id) WHERE subject IS NOT NULL;
  CREATE INDEX audit_events_order_idx ON audit_events (xid, id);
  ALTER TABLE audit_details ADD CONSTRAINT audit_details_pkey PRIMARY KEY (event_id);
  CREATE INDEX audit_details_account_idx ON audit_details (account_id, event_id);
  -- Each partition has the primary key (tenant_id, sequence); one of the whole would have to name the event.
  CREATE UNIQUE INDEX audit_entries_event_idx ON audit_entries (event_id);

  CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR TRUNCATE ON audit_events FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER audit_events_deleted_with_tenant AFTER DELETE ON audit_events REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_deletion_of_events();
  CREATE TRIGGER audit_details_unchanged BEFORE UPDATE OR TRUNCATE ON audit_details FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change();
  CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT
    EXECUTE FUNCTION refuse_change();

  FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_details', 'audit_entries'] LOOP
    -- The constraint proves the bound: no row is read.
    PERFORM attach_audit_partition(parent, 'earlier', NULL, bound);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT %I', parent || '_earlier', parent || '_earlier_bound');
    PERFORM attach_audit_partition(parent, 'later', bound, NULL);
  END LOOP;
  PERFORM add_audit_partitions(now() + interval '3 months');
END $$;
`;

const DOWN = `
DO $$
DECLARE
  parent text;
  name text;
BEGIN
  FOREACH parent IN ARRAY ARRAY['audit_events', 'audit_details', 'audit_entries'] LOOP
    EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, parent || '_earlier');
    EXECUTE format('INSERT INTO %I SELECT * FROM %I', parent || '_earlier', parent);
    EXECUTE format('DROP TABLE %I', parent);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent || '_earlier', parent);
    FOR name IN SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid WHERE x.indrelid = parent::regclass LOOP
      EXECUTE format('ALTER INDEX %I RENAME TO %I', name, replace(name, parent || '_earlier', parent));
    END LOOP;
    -- The migration before removes it.
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (true)', parent, parent || '_earlier_bound');
  END LOOP;
END $$;
DROP FUNCTION drop_audit_partitions, add_audit_partitions, attach_audit_partition;
`;

/** Partitions the tables of the audit trail by month (ADR 73). */
export class AuditPartitions1796240600004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
