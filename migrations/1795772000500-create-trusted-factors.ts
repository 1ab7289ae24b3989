import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The factors of a connection that its organization trusts. */
export class CreateTrustedFactors1795772000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sessions
        ADD COLUMN vouched_factor boolean NOT NULL DEFAULT false,
        ADD COLUMN factor_owed boolean NOT NULL DEFAULT false;
      ALTER TABLE external_codes ADD COLUMN is_two_factor boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE external_codes DROP COLUMN is_two_factor;
      ALTER TABLE sessions DROP COLUMN factor_owed, DROP COLUMN vouched_factor;
    `);
  }
}
