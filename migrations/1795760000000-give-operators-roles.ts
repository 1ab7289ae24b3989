import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles of operators. Those of before, and those whom the previous release makes, are admins. */
export class GiveOperatorsRoles1795760000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE operators
        ADD COLUMN role text NOT NULL DEFAULT 'admin' CONSTRAINT operators_role_known CHECK (role IN ('support', 'admin'))`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE operators DROP COLUMN role');
  }
}
