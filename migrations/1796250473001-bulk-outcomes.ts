import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Whose members an action of operators is for, and for how many people it failed. */
export class BulkOutcomes1796250473001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE bulk_actions ADD COLUMN tenant_id text COLLATE "C", ADD COLUMN failed integer NOT NULL DEFAULT 0;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE bulk_actions DROP COLUMN tenant_id, DROP COLUMN failed');
  }
}
