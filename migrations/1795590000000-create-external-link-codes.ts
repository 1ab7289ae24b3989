import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Link codes with proven identities; slot, network and size of stored forms. */
export class CreateExternalLinkCodes1795590000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE external_link_codes (
        code_hash bytea NOT NULL CONSTRAINT external_link_codes_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL CONSTRAINT external_link_codes_account_fkey REFERENCES accounts ON DELETE CASCADE,
        session_id text COLLATE "C" NOT NULL,
        sealed text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX external_link_codes_account_idx ON external_link_codes (account_id);
      CREATE INDEX external_link_codes_expiry_idx ON external_link_codes (expires_at);
      ALTER TABLE external_forms ADD COLUMN slot bytea, ADD COLUMN network bytea, ADD COLUMN bytes integer;
      CREATE UNIQUE INDEX external_forms_slot_idx ON external_forms (slot);
      CREATE INDEX external_forms_network_idx ON external_forms (network, expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE external_forms DROP COLUMN slot, DROP COLUMN network, DROP COLUMN bytes;
      DROP TABLE external_link_codes;
    `);
  }
}
