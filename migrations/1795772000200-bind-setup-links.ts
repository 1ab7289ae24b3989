import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Binds a set-up link to the directory that it has created. */
export class BindSetupLinks1795772000200 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE setup_links ADD COLUMN directory_id text COLLATE "C",
        ADD CONSTRAINT setup_links_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories (tenant_id, id) ON DELETE CASCADE;
      CREATE INDEX setup_links_directory_idx ON setup_links (tenant_id, directory_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE setup_links DROP COLUMN directory_id');
  }
}
