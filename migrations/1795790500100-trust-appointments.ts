import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Times from which operators count as one of the two whom an erasure needs. */
export class TrustAppointments1795790500100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE operators ADD COLUMN trusted_from timestamptz NOT NULL DEFAULT now();
      UPDATE operators SET trusted_from = created_at;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operators DROP COLUMN trusted_from');
  }
}
