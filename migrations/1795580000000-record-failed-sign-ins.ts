import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Counts series of failed sign-ins in the rows that limit tries, and adds a table for what the
 * audit trail says of them, which is erased with the account.
 */
export class RecordFailedSignIns1795580000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE login_throttles ADD COLUMN account_id text COLLATE "C", ADD COLUMN series_failures int NOT NULL DEFAULT 0,
        ADD COLUMN series_began_at timestamptz, ADD COLUMN series_failed_at timestamptz;
      CREATE INDEX login_throttles_series_idx ON login_throttles (series_failed_at) WHERE series_failures > 0;
      CREATE TABLE audit_details (
        event_id text COLLATE "C" NOT NULL CONSTRAINT audit_details_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL,
        details jsonb NOT NULL
      );
      CREATE INDEX audit_details_account_idx ON audit_details (account_id, event_id);
      CREATE TRIGGER audit_details_unchanged BEFORE UPDATE OR TRUNCATE ON audit_details
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE audit_details;
      DROP INDEX login_throttles_series_idx;
      ALTER TABLE login_throttles DROP COLUMN account_id, DROP COLUMN series_failures, DROP COLUMN series_began_at,
        DROP COLUMN series_failed_at;
    `);
  }
}
