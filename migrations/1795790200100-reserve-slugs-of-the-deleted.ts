import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Slugs of deleted organizations, by keyed hash: bookmarks of their former members have them. */
export class ReserveSlugsOfTheDeleted1795790200100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE retired_slugs (
        slug_key bytea NOT NULL CONSTRAINT retired_slugs_pkey PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX retired_slugs_expiry_idx ON retired_slugs (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE retired_slugs');
  }
}
