import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Imports of members that an operator asked for, and that a second one has to confirm. */
export class CreateImportRequests1795960000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_requests (
        digest bytea NOT NULL CONSTRAINT import_requests_pkey PRIMARY KEY,
        operator_id text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX import_requests_expiry_idx ON import_requests (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_requests');
  }
}
