import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
-- Constant for the events that exist, so that the table is not rewritten; then each has its transaction.
ALTER TABLE audit_events ADD COLUMN xid xid8 NOT NULL DEFAULT '0'::xid8;
ALTER TABLE audit_events ALTER COLUMN xid SET DEFAULT pg_current_xact_id();
CREATE INDEX audit_events_order_idx ON audit_events (xid, id);

-- Erased with the details, which cannot be guessed from their hash then. None for those that exist.
ALTER TABLE audit_details ADD COLUMN salt uuid;
ALTER TABLE audit_details ALTER COLUMN salt SET DEFAULT gen_random_uuid();

CREATE TABLE audit_chains (
  tenant_id text COLLATE "C" NOT NULL,
  last bigint NOT NULL,
  hash bytea NOT NULL,
  chained_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT audit_chains_pkey PRIMARY KEY (tenant_id)
);

CREATE TABLE audit_entries (
  tenant_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  details_hash bytea,
  hash bytea NOT NULL,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (tenant_id, sequence)
);
CREATE UNIQUE INDEX audit_entries_event_idx ON audit_entries (event_id);
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR TRUNCATE ON audit_entries FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_cursors (
  consumer text COLLATE "C" NOT NULL,
  xid xid8 NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  CONSTRAINT audit_cursors_pkey PRIMARY KEY (consumer)
);
INSERT INTO audit_cursors (consumer, xid, event_id) VALUES ('chain', '0', '');
`;

const DOWN = `
DROP TABLE audit_cursors, audit_entries, audit_chains;
ALTER TABLE audit_details DROP COLUMN salt;
DROP INDEX audit_events_order_idx;
ALTER TABLE audit_events DROP COLUMN xid;
`;

/** Chains of hashes over the audit trail (ADR 59). */
export class AuditChain1796090000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
