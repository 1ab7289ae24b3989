import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sessions of operators, with which the impersonations end that began in them. */
export class BindImpersonations1795790000401 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE impersonations ADD COLUMN operator_session_id text COLLATE "C";
      CREATE INDEX impersonations_operator_session_idx ON impersonations (operator_session_id) WHERE ended_at IS NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE impersonations DROP COLUMN operator_session_id');
  }
}
