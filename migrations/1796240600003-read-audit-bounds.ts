import type { MigrationInterface, QueryRunner } from 'typeorm';

const UP = `
ALTER TABLE audit_events VALIDATE CONSTRAINT audit_events_earlier_bound;
ALTER TABLE audit_entries VALIDATE CONSTRAINT audit_entries_earlier_bound;
ALTER TABLE audit_details VALIDATE CONSTRAINT audit_details_earlier_bound;
`;

/** Reads the tables of the audit trail once, while they are read and written (ADR 73). */
export class ReadAuditBounds1796240600003 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(): Promise<void> {
    // A constraint that was validated stays so until the migration before removes it.
  }
}
