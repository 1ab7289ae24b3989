import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Forms posted by providers, until the browser follows our redirect. */
export class CreateExternalForms1795520000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE external_forms (
        key_hash bytea NOT NULL CONSTRAINT external_forms_pkey PRIMARY KEY,
        sealed text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX external_forms_expiry_idx ON external_forms (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE external_forms');
  }
}
