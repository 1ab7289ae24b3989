import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Erasures that an operator asked for, and that a second one has to confirm. */
export class CreateErasureRequests1795790000402 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE erasure_requests (
        account_id text COLLATE "C" NOT NULL CONSTRAINT erasure_requests_pkey PRIMARY KEY
          CONSTRAINT erasure_requests_account_fkey REFERENCES accounts ON DELETE CASCADE,
        operator_id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX erasure_requests_expiry_idx ON erasure_requests (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE erasure_requests');
  }
}
