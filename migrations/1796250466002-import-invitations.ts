import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People whom an import has invited. */
export class ImportInvitations1796250466002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_runs ADD COLUMN invited integer NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_runs DROP COLUMN invited');
  }
}
