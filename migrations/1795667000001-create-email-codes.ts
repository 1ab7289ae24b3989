import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Mailed codes, by keyed hashes: of addresses without an account too (ADR 23). */
export class CreateEmailCodes1795667000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE email_codes (
        subject_key bytea NOT NULL,
        code_hash bytea NOT NULL,
        failures int NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        CONSTRAINT email_codes_pkey PRIMARY KEY (subject_key)
      );
      CREATE INDEX email_codes_expiry_idx ON email_codes (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE email_codes;');
  }
}
