import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pages show logos of clients from this service, which fetches them from `logo_uri`. */
export class KeepClientLogos1795800500100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE satellites ADD COLUMN logo bytea, ADD COLUMN logo_type text COLLATE "C", ADD COLUMN logo_hash text COLLATE "C"',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE satellites DROP COLUMN logo, DROP COLUMN logo_type, DROP COLUMN logo_hash',
    );
  }
}
