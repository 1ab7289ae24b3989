import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds by which schemes other systems have hashed the passwords that were imported. */
export class FindImportedPasswords1795770000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX accounts_imported_idx ON accounts (split_part(password_hash, '$', 2) COLLATE "C") WHERE password_hash LIKE 'f1$%';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX accounts_imported_idx');
  }
}
