import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Consents that organizations give to their clients for all members (ADR 74). */
export class ConsentsForMembers1796210000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE satellites ADD COLUMN consented_scopes text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN consented_scopes');
  }
}
