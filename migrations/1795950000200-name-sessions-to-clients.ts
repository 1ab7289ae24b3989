import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gives each client a key by which it is named sessions, if its people have pairwise subjects. A
 * client of before knows the sessions that are active by their id, and keeps to it until they end:
 * it would not recognize their logout otherwise.
 */
export class NameSessionsToClients1795950000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites ADD COLUMN sid_key uuid, ADD COLUMN sid_key_since timestamptz;
      ALTER TABLE satellites ALTER COLUMN sid_key SET DEFAULT gen_random_uuid();
      UPDATE satellites SET sid_key = gen_random_uuid(), sid_key_since = now();
      ALTER TABLE satellites ALTER COLUMN sid_key SET NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN sid_key_since, DROP COLUMN sid_key');
  }
}
