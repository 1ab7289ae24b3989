import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Directories make workers of people without an address, known again by number (ADR 62). */
export class WorkersOfDirectories1796140000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE directories ADD COLUMN without_address text COLLATE "C" NOT NULL DEFAULT 'wait'`,
    );
    await runner.query('ALTER TABLE directory_suspensions ADD COLUMN number_key text COLLATE "C"');
    await runner.query(
      'CREATE INDEX directory_suspensions_number_idx ON directory_suspensions (tenant_id, number_key)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_suspensions DROP COLUMN number_key');
    await runner.query('ALTER TABLE directories DROP COLUMN without_address');
  }
}
