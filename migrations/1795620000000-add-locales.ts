import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the language of a person, and that of a registration, from which the account takes it. */
export class AddLocales1795620000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN locale text');
    await runner.query('ALTER TABLE pending_registrations ADD COLUMN locale text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN locale');
    await runner.query('ALTER TABLE pending_registrations DROP COLUMN locale');
  }
}
