import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Changes of connections in use that wait for an owner. A table for them, so that replicas of the
 * previous release accept no certificate that waits.
 */
export class CreateConnectionChanges1795930000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connection_changes (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        settings_version integer NOT NULL,
        sha256 text[] COLLATE "C" NOT NULL,
        sealed_change text NOT NULL,
        requested_by text COLLATE "C" NOT NULL,
        by_setup_link boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT connection_changes_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT connection_changes_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX connection_changes_connection_idx ON connection_changes (tenant_id, connection_id);
      CREATE INDEX connection_changes_expiry_idx ON connection_changes (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE connection_changes');
  }
}
