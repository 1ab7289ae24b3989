import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
ALTER TABLE audit_chains ADD COLUMN anchored bigint NOT NULL DEFAULT 0;

CREATE TABLE audit_anchors (
  tenant_id text COLLATE "C" NOT NULL,
  sequence bigint NOT NULL,
  jws text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT audit_anchors_pkey PRIMARY KEY (tenant_id, sequence)
);
CREATE TRIGGER audit_anchors_append_only BEFORE UPDATE OR TRUNCATE ON audit_anchors FOR EACH STATEMENT
  EXECUTE FUNCTION refuse_change();

CREATE TABLE audit_keys (
  kid text COLLATE "C" NOT NULL,
  sealed_public_jwk text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT audit_keys_pkey PRIMARY KEY (kid)
);
`;

const DOWN = `
DROP TABLE audit_keys, audit_anchors;
ALTER TABLE audit_chains DROP COLUMN anchored;
`;

/** Signed anchors of the chains of the audit trail (ADR 59). */
export class AuditAnchors1796090000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
