import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Notes when recovery codes were created, for the undo of a change of address. */
export class NoteAgeOfRecoveryCodes1795790100100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The time of those before is not known: none of them is removed.
    await runner.query(`
      ALTER TABLE recovery_codes ADD COLUMN created_at timestamptz NOT NULL DEFAULT 'epoch';
      ALTER TABLE recovery_codes ALTER COLUMN created_at SET DEFAULT now();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE recovery_codes DROP COLUMN created_at');
  }
}
