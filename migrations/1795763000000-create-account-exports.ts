import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Exports of what is kept about a person, sealed, for seven days. */
export class CreateAccountExports1795763000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_exports (
        account_id text COLLATE "C" NOT NULL CONSTRAINT account_exports_account_fkey REFERENCES accounts (id) ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        sealed text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT account_exports_pkey PRIMARY KEY (account_id, id)
      );
      CREATE INDEX account_exports_expiry_idx ON account_exports (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE account_exports');
  }
}
