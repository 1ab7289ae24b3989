import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who created a token of a directory; null for those of earlier releases. */
export class NoteMakersOfDirectoryTokens1795791100100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_tokens ADD COLUMN created_by text COLLATE "C"');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_tokens DROP COLUMN created_by');
  }
}
