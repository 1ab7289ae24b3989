import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Former slugs of an organization, which no other one gets: bookmarks lead there. */
export class KeepFormerSlugs1795790000500 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE tenants ADD COLUMN former_slugs text[] COLLATE "C" NOT NULL DEFAULT '{}';
      CREATE INDEX tenants_former_slugs_idx ON tenants USING gin (former_slugs);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants DROP COLUMN former_slugs');
  }
}
