import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the operators are told that a key of the platform will expire. */
export class WarnOfPlatformKeys1795800900100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE platform_keys ADD COLUMN warn_at timestamptz;
      CREATE INDEX platform_keys_warning_idx ON platform_keys (warn_at) WHERE warn_at IS NOT NULL;
      UPDATE platform_keys SET warn_at = expires_at - interval '7 days' WHERE expires_at > now();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE platform_keys DROP COLUMN warn_at');
  }
}
