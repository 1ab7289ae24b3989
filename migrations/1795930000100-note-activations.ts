import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Notes when a connection was last activated: people may have signed in by it since, so that its
 * changes are judged by what they hold, also while it is a draft again.
 */
export class NoteActivations1795930000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE connections ADD COLUMN activated_at timestamptz;
      UPDATE connections SET activated_at = coalesce(last_sign_in_at, created_at)
      WHERE status <> 'draft' OR last_sign_in_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE connections DROP COLUMN activated_at');
  }
}
