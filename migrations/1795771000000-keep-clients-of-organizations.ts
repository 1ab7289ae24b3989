import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets a client belong to one organization. The previous release signs anyone in to such a client
 * while both run: register the first one after the upgrade.
 */
export class KeepClientsOfOrganizations1795771000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites ADD COLUMN tenant_id text COLLATE "C"
        CONSTRAINT satellites_tenant_fkey REFERENCES tenants (id) ON DELETE CASCADE;
      CREATE INDEX satellites_tenant_idx ON satellites (tenant_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE satellites DROP COLUMN tenant_id');
  }
}
