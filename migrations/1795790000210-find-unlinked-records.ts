import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the records of directories that wait for the person of an address, for its erasure. */
export class FindUnlinkedRecords1795790000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX directory_users_unlinked_idx ON directory_users (email_key) WHERE account_id IS NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX directory_users_unlinked_idx');
  }
}
