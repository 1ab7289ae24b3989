import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Finds imported accounts by a key. Before, it was a part of their ids, which were in no order:
 * each account changed another page of each index with its id, and a large import became slower.
 */
export class KeyImportedAccounts1795801000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounts ADD COLUMN import_key text COLLATE "C";
      CREATE UNIQUE INDEX accounts_import_key_unique ON accounts (import_key) WHERE import_key IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE accounts DROP COLUMN import_key');
  }
}
