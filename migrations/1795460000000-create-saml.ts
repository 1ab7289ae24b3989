import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The service's own SAML key, stored states of flows, and used proofs. */
export class CreateSaml1795460000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE saml_keys (
        single boolean NOT NULL DEFAULT true CONSTRAINT saml_keys_pkey PRIMARY KEY CONSTRAINT saml_keys_single_check CHECK (single),
        certificate text COLLATE "C" NOT NULL,
        sealed_private_key text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE external_states (
        key_hash bytea NOT NULL CONSTRAINT external_states_pkey PRIMARY KEY,
        account_id text COLLATE "C" CONSTRAINT external_states_account_fkey REFERENCES accounts ON DELETE CASCADE,
        state text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX external_states_account_idx ON external_states (account_id);
      CREATE INDEX external_states_expiry_idx ON external_states (expires_at);
      CREATE TABLE external_proofs (
        proof_hash bytea NOT NULL CONSTRAINT external_proofs_pkey PRIMARY KEY,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX external_proofs_expiry_idx ON external_proofs (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE external_proofs, external_states, saml_keys');
  }
}
