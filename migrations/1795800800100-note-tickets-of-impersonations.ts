import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tickets of support, for which operators act as people. */
export class NoteTicketsOfImpersonations1795800800100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE impersonations ADD COLUMN ticket text;
      ALTER TABLE audit_events ADD COLUMN ticket text;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE audit_events DROP COLUMN ticket;
      ALTER TABLE impersonations DROP COLUMN ticket;
    `);
  }
}
