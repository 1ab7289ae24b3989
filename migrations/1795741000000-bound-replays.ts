import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Replays of events end at the event that was the last one when they began, so that what is left
 * can be shown. Expired invitations are noted once, for their event.
 */
export class BoundReplays1795741000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD COLUMN recover_until bigint;
      ALTER TABLE invitations ADD COLUMN expiry_noted_at timestamptz;
      CREATE INDEX invitations_expiry_idx ON invitations (expires_at)
        WHERE accepted_at IS NULL AND revoked_at IS NULL AND expiry_noted_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX invitations_expiry_idx;
      ALTER TABLE invitations DROP COLUMN expiry_noted_at;
      ALTER TABLE webhook_endpoints DROP COLUMN recover_until;
    `);
  }
}
