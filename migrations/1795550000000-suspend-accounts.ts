import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A person can be stopped and let in again, and loses nothing by it. */
export class SuspendAccounts1795550000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts ADD COLUMN suspended_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN suspended_at');
  }
}
