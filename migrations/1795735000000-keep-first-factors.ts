import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What a sign-in has proven before its session begins: the connection of one that returns by a
 * code, and whether the password is a common one until the second factor follows.
 */
export class KeepFirstFactors1795735000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE external_codes ADD COLUMN connection_id text COLLATE "C" NOT NULL DEFAULT '';
      ALTER TABLE sign_in_challenges ADD COLUMN password_listed boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE sign_in_challenges DROP COLUMN password_listed;
      ALTER TABLE external_codes DROP COLUMN connection_id;
    `);
  }
}
