import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which accounts a directory has made, and which it has suspended and may restore. */
export class ManageAccountsOfDirectories1795736000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_users
        ADD COLUMN made_account boolean NOT NULL DEFAULT false,
        ADD COLUMN suspended_account boolean NOT NULL DEFAULT false;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_users DROP COLUMN made_account, DROP COLUMN suspended_account');
  }
}
