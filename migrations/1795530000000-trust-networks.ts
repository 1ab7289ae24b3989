import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Networks from which an account has signed in stay open to it while everybody else has used up the tries. */
export class TrustNetworks1795530000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE login_throttles ADD COLUMN trusted_until timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE login_throttles DROP COLUMN trusted_until');
  }
}
