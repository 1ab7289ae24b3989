import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the first name that a connection sent last for an account that it made; else null. */
export class FollowNames1796012000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE external_identities ADD COLUMN followed_name text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE external_identities DROP COLUMN followed_name');
  }
}
