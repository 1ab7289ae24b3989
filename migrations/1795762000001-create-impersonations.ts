import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions in which operators act as people, with the consent of the organization. */
export class CreateImpersonations1795762000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants ADD COLUMN support_until timestamptz;
      ALTER TABLE audit_events ADD COLUMN impersonator_id text COLLATE "C";
      CREATE TABLE impersonations (
        id text COLLATE "C" NOT NULL CONSTRAINT impersonations_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL CONSTRAINT impersonations_account_fkey REFERENCES accounts (id) ON DELETE CASCADE,
        tenant_id text COLLATE "C" NOT NULL,
        operator_id text COLLATE "C" NOT NULL,
        reason text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        ended_at timestamptz
      );
      CREATE INDEX impersonations_account_idx ON impersonations (account_id);
      CREATE INDEX impersonations_tenant_idx ON impersonations (tenant_id);
      CREATE INDEX impersonations_expiry_idx ON impersonations (expires_at);
      CREATE INDEX impersonations_operator_idx ON impersonations (operator_id) WHERE ended_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE impersonations;
      ALTER TABLE audit_events DROP COLUMN impersonator_id;
      ALTER TABLE tenants DROP COLUMN support_until;
    `);
  }
}
