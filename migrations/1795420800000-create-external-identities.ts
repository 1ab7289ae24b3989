import type { MigrationInterface, QueryRunner } from 'typeorm';

/** External identities of accounts, completed flows, and their authorization codes. */
export class CreateExternalIdentities1795420800000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE external_identities (
        id text COLLATE "C" NOT NULL CONSTRAINT external_identities_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL CONSTRAINT external_identities_account_fkey REFERENCES accounts ON DELETE CASCADE,
        kind text COLLATE "C" NOT NULL,
        issuer text COLLATE "C" NOT NULL,
        subject text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT external_identities_subject_unique UNIQUE (kind, issuer, subject)
      );
      CREATE INDEX external_identities_account_idx ON external_identities (account_id, id);
      CREATE TABLE external_flows (
        id text COLLATE "C" NOT NULL CONSTRAINT external_flows_pkey PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX external_flows_expiry_idx ON external_flows (expires_at);
      CREATE TABLE external_codes (
        code_hash bytea NOT NULL CONSTRAINT external_codes_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL CONSTRAINT external_codes_account_fkey REFERENCES accounts ON DELETE CASCADE,
        kind text COLLATE "C" NOT NULL,
        code_challenge text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        consumed_at timestamptz,
        session_id text COLLATE "C"
      );
      CREATE INDEX external_codes_account_idx ON external_codes (account_id);
      CREATE INDEX external_codes_expiry_idx ON external_codes (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE external_codes, external_flows, external_identities');
  }
}
