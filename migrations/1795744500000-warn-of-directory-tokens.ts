import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the organization is told that a token of a directory will expire. */
export class WarnOfDirectoryTokens1795744500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_tokens ADD COLUMN warn_at timestamptz;
      CREATE INDEX directory_tokens_warning_idx ON directory_tokens (warn_at) WHERE warn_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE directory_tokens DROP COLUMN warn_at');
  }
}
