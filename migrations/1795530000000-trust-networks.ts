import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exempts networks with an earlier sign-in to the account from its slowed logins. */
export class TrustNetworks1795530000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE login_throttles ADD COLUMN trusted_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE login_throttles DROP COLUMN trusted_until');
  }
}
