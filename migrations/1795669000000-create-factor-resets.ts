import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Resets of a person's second factors by operators, which take effect after a delay. */
export class CreateFactorResets1795669000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE factor_resets (
        account_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        requested_by text COLLATE "C",
        reason text NOT NULL,
        token_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        effective_at timestamptz NOT NULL,
        ended_at timestamptz,
        CONSTRAINT factor_resets_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT factor_resets_token_key UNIQUE (token_hash),
        CONSTRAINT factor_resets_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE UNIQUE INDEX factor_resets_pending_idx ON factor_resets (account_id) WHERE ended_at IS NULL;
      CREATE INDEX factor_resets_ended_idx ON factor_resets (ended_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE factor_resets');
  }
}
