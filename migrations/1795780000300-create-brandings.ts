import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How organizations look on pages and in mails, with their logos. */
export class CreateBrandings1795780000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE brandings (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT brandings_pkey PRIMARY KEY CONSTRAINT brandings_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        display_name text,
        accent_color text COLLATE "C",
        support_url text,
        mail_sender_name text,
        logo bytea,
        logo_type text COLLATE "C",
        logo_hash text COLLATE "C"
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE brandings');
  }
}
