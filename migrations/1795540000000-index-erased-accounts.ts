import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Those who were erased are listed for the case that a backup brings them back. */
export class IndexErasedAccounts1795540000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX accounts_erased_idx ON accounts (id) WHERE erased_at IS NOT NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX accounts_erased_idx');
  }
}
