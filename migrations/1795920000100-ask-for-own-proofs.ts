import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes which sessions have a proof of the person's own, and which factors were added without one:
 * they count in one organization (ADR 49). Organizations accept connections of others no longer by
 * default; those from before keep it, and their owners are told.
 *
 * A session of before whose second factor was shown at its sign-in has such a proof. Others by a
 * connection ask for it.
 */
export class AskForOwnProofs1795920000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions ADD COLUMN own_proof boolean NOT NULL DEFAULT false;
      UPDATE sessions s SET own_proof = true WHERE s.vouched_by <> '{}' AND s.ended_at IS NULL AND EXISTS (
        SELECT 1 FROM session_evidence e WHERE e.session_id = s.id AND e.acr <> 'aal1' AND e.proven_at = s.created_at);
      ALTER TABLE totp_authenticators ADD COLUMN assured_by text COLLATE "C";
      ALTER TABLE passkeys ADD COLUMN assured_by text COLLATE "C";
      ALTER TABLE recovery_codes ADD COLUMN assured_by text COLLATE "C";
      ALTER TABLE tenants ADD COLUMN other_connections boolean NOT NULL DEFAULT true;
      ALTER TABLE tenants ALTER COLUMN other_connections SET DEFAULT false;
      ALTER TABLE tenants ADD COLUMN other_connections_told boolean NOT NULL DEFAULT false;
      ALTER TABLE tenants ALTER COLUMN other_connections_told SET DEFAULT true;
      CREATE INDEX tenants_other_connections_idx ON tenants (id) WHERE NOT other_connections_told;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants DROP COLUMN other_connections, DROP COLUMN other_connections_told;
      ALTER TABLE recovery_codes DROP COLUMN assured_by;
      ALTER TABLE passkeys DROP COLUMN assured_by;
      ALTER TABLE totp_authenticators DROP COLUMN assured_by;
      ALTER TABLE sessions DROP COLUMN own_proof;
    `);
  }
}
