import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Responses to requests with an `Idempotency-Key`, kept for 24 hours. */
export class CreateIdempotentResponses1795610000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE idempotent_responses (
        account_id text COLLATE "C" NOT NULL CONSTRAINT idempotent_responses_account_fkey REFERENCES accounts ON DELETE CASCADE,
        key_hash bytea NOT NULL,
        request_hash bytea NOT NULL,
        sealed text NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT idempotent_responses_pkey PRIMARY KEY (account_id, key_hash)
      );
      CREATE INDEX idempotent_responses_expiry_idx ON idempotent_responses (expires_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE idempotent_responses');
  }
}
