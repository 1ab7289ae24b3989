import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imports by the command line, of no operator, are in the history too. */
export class ImportsOfTheCommandLine1796250520002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE import_runs ALTER COLUMN operator_id DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DELETE FROM import_runs WHERE operator_id IS NULL; ALTER TABLE import_runs ALTER COLUMN operator_id SET NOT NULL',
    );
  }
}
