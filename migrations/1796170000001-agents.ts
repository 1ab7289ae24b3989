import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients by metadata document, and what organizations allow of them (ADR 69). */
export class Agents1796170000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
ALTER TABLE satellites ADD COLUMN document_fetched_at timestamptz, ADD COLUMN document_expires_at timestamptz;
CREATE INDEX satellites_documents_idx ON satellites (document_fetched_at) WHERE document_fetched_at IS NOT NULL;

CREATE TABLE agent_policies (
  id text COLLATE "C" NOT NULL,
  tenant_id text COLLATE "C",
  clients text COLLATE "C" NOT NULL,
  listed text[] NOT NULL,
  scopes text[] NOT NULL,
  max_days integer,
  CONSTRAINT agent_policies_pkey PRIMARY KEY (id),
  CONSTRAINT agent_policies_tenant_fkey FOREIGN KEY (tenant_id) REFERENCES tenants(id) ON DELETE CASCADE
);
CREATE INDEX agent_policies_tenant_idx ON agent_policies (tenant_id);
CREATE INDEX agent_policies_any_idx ON agent_policies USING gin (scopes) WHERE clients = 'any';
CREATE INDEX agent_policies_listed_idx ON agent_policies USING gin (listed, scopes) WHERE clients = 'listed';

CREATE INDEX grants_of_agents_idx ON grants (tenant_id, client_id) WHERE strpos(client_id, '://') > 0;
`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
DROP INDEX grants_of_agents_idx;
DROP TABLE agent_policies;
DELETE FROM satellites WHERE document_fetched_at IS NOT NULL;
ALTER TABLE satellites DROP COLUMN document_fetched_at, DROP COLUMN document_expires_at;
`);
  }
}
