import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes ended sessions too: without them, an erasure reads the whole table. */
export class IndexSessionsOfAccounts1795230000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX sessions_account_idx;
      CREATE INDEX sessions_account_idx ON sessions (account_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX sessions_account_idx;
      CREATE INDEX sessions_account_idx ON sessions (account_id, id) WHERE ended_at IS NULL;
    `);
  }
}
