import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
CREATE TABLE audit_retentions (
  tenant_id text COLLATE "C" NOT NULL,
  days integer NOT NULL,
  CONSTRAINT audit_retentions_pkey PRIMARY KEY (tenant_id),
  CONSTRAINT audit_retentions_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX audit_retentions_days_idx ON audit_retentions (days);

-- Entries up to starts_after may be removed, as the signed start says; up to removed, they are.
ALTER TABLE audit_chains
  ADD COLUMN starts_after bigint NOT NULL DEFAULT 0,
  ADD COLUMN start text COLLATE "C",
  ADD COLUMN removed bigint NOT NULL DEFAULT 0,
  ADD COLUMN verified_until timestamptz;
CREATE INDEX audit_chains_removable_idx ON audit_chains (tenant_id) WHERE removed < starts_after;

-- Events of the audit trail are deleted with their organization, or before the start of their chain.
CREATE OR REPLACE FUNCTION refuse_deletion_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM deleted d LEFT JOIN tenants t ON t.id = d.tenant_id
      WHERE t.deletion_started_at IS NULL AND NOT EXISTS (SELECT 1 FROM audit_entries n JOIN audit_chains c ON c.tenant_id = n.tenant_id
        WHERE n.event_id = d.id AND n.sequence <= c.starts_after))
      THEN RAISE EXCEPTION 'The audit trail is append-only.';
    END IF;
    RETURN NULL;
  END $$;
`;

const DOWN = `
CREATE OR REPLACE FUNCTION refuse_deletion_of_events() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF EXISTS (SELECT 1 FROM deleted d LEFT JOIN tenants t ON t.id = d.tenant_id WHERE t.deletion_started_at IS NULL)
      THEN RAISE EXCEPTION 'The audit trail is append-only.';
    END IF;
    RETURN NULL;
  END $$;
DROP INDEX audit_chains_removable_idx;
ALTER TABLE audit_chains DROP COLUMN verified_until, DROP COLUMN removed, DROP COLUMN start, DROP COLUMN starts_after;
DROP TABLE audit_retentions;
`;

/** Retention of the audit trail (ADR 73). */
export class AuditRetention1796240600001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
