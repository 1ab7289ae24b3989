import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a token of a directory was first refused because of its creator; null while it works. */
export class StopDirectoryTokens1796000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_tokens ADD COLUMN stopped_at timestamptz');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_tokens DROP COLUMN stopped_at');
  }
}
