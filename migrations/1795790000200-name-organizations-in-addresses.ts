import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of organizations in addresses of pages; each belongs to one organization at most. */
export class NameOrganizationsInAddresses1795790000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'ALTER TABLE tenants ADD COLUMN slug text COLLATE "C" CONSTRAINT tenants_slug_key UNIQUE',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants DROP COLUMN slug');
  }
}
