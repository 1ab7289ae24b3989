import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Names people to third-party clients by identifiers of their own. Clients that are registered keep
 * the id of the account, by which they know their people.
 */
export class NamePeopleToClients1795761000050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites
        ADD COLUMN subject_type text COLLATE "C" NOT NULL DEFAULT 'public',
        ADD COLUMN sector text COLLATE "C";
      CREATE TABLE oidc_subjects (
        account_id text COLLATE "C" NOT NULL,
        sector text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL CONSTRAINT oidc_subjects_subject_unique UNIQUE,
        CONSTRAINT oidc_subjects_pkey PRIMARY KEY (account_id, sector)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE oidc_subjects;
      ALTER TABLE satellites DROP COLUMN sector, DROP COLUMN subject_type;
    `);
  }
}
