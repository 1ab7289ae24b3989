import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sites in a tree, and the loads at them. */
export class CreateWarehouse1796110000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE sites (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT sites_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        parent_id text COLLATE "C",
        name text NOT NULL,
        CONSTRAINT sites_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT sites_parent_fkey FOREIGN KEY (tenant_id, parent_id) REFERENCES sites
      );
      CREATE INDEX sites_parent_idx ON sites (tenant_id, parent_id, id);
      CREATE TABLE loads (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        site_id text COLLATE "C" NOT NULL,
        contents text NOT NULL,
        released boolean NOT NULL DEFAULT false,
        CONSTRAINT loads_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT loads_site_fkey FOREIGN KEY (tenant_id, site_id) REFERENCES sites ON DELETE CASCADE
      );
      CREATE INDEX loads_site_idx ON loads (tenant_id, site_id, id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE loads, sites');
  }
}
