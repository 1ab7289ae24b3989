import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Changes of address that wait for their confirmation, and links that undo one for seven days. */
export class CreateEmailChanges1795667000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE email_changes (
        account_id text COLLATE "C" NOT NULL,
        token_hash bytea NOT NULL,
        email text NOT NULL,
        email_key text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT email_changes_pkey PRIMARY KEY (account_id),
        CONSTRAINT email_changes_token_key UNIQUE (token_hash),
        CONSTRAINT email_changes_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE INDEX email_changes_expiry_idx ON email_changes (expires_at);
      CREATE TABLE email_undos (
        token_hash bytea NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        email text NOT NULL,
        email_key text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT email_undos_pkey PRIMARY KEY (token_hash),
        CONSTRAINT email_undos_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE INDEX email_undos_account_idx ON email_undos (account_id);
      CREATE INDEX email_undos_expiry_idx ON email_undos (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE email_undos, email_changes;');
  }
}
