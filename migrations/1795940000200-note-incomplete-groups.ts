import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes when a provider last sent groups that were not whole, and further audiences that its ID
 * tokens may name.
 */
export class NoteIncompleteGroups1795940000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE connections ADD COLUMN groups_incomplete_at timestamptz;
      ALTER TABLE oidc_connections ADD COLUMN trusted_audiences text[] COLLATE "C" NOT NULL DEFAULT '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oidc_connections DROP COLUMN trusted_audiences;
      ALTER TABLE connections DROP COLUMN groups_incomplete_at;
    `);
  }
}
