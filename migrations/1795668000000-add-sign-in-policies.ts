import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What organizations ask of sign-ins; null for nothing. */
export class AddSignInPolicies1795668000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants ADD COLUMN sign_in_policy jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants DROP COLUMN sign_in_policy');
  }
}
