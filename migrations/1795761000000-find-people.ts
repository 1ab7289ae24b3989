import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Lets operators find people by the domain of the address, by name, or the suspended ones; and
 * records what became of each mail.
 */
export class FindPeople1795761000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX accounts_domain_idx ON accounts (substr(email_key, strpos(email_key, '@') + 1), id) WHERE email_key IS NOT NULL;
      CREATE INDEX accounts_name_idx ON accounts ((search_key(first_name) COLLATE "C"), id) WHERE first_name IS NOT NULL;
      CREATE INDEX accounts_suspended_idx ON accounts (id) WHERE suspended_at IS NOT NULL;
      CREATE TABLE mail_records (
        id text COLLATE "C" NOT NULL CONSTRAINT mail_records_pkey PRIMARY KEY,
        recipient_key bytea NOT NULL,
        kind text NOT NULL,
        state text NOT NULL CONSTRAINT mail_records_state_known CHECK (state IN ('sent', 'deferred', 'refused')),
        attempts int NOT NULL,
        reply text,
        created_at timestamptz NOT NULL,
        updated_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX mail_records_recipient_idx ON mail_records (recipient_key, id);
      CREATE INDEX mail_records_created_idx ON mail_records (created_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE mail_records;
      DROP INDEX accounts_domain_idx, accounts_name_idx, accounts_suspended_idx;
    `);
  }
}
