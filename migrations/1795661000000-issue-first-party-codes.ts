import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Codes of a session without a client are for the first-party client (ADR 31). The previous release
 * compares the client, so that it finds none of them.
 */
export class IssueFirstPartyCodes1795661000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellite_codes ALTER COLUMN client_id DROP NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM satellite_codes WHERE client_id IS NULL;
      ALTER TABLE satellite_codes ALTER COLUMN client_id SET NOT NULL;
    `);
  }
}
