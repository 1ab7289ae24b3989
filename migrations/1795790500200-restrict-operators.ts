import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Scopes that restrict the role of an operator. */
export class RestrictOperators1795790500200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operators ADD COLUMN scopes text[] COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operators DROP COLUMN scopes');
  }
}
