import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Satellites with their one-time codes, disabled clients, and operators. */
export class CreateSatellites1795334400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE operators (
        account_id text COLLATE "C" NOT NULL CONSTRAINT operators_pkey PRIMARY KEY CONSTRAINT operators_account_fkey REFERENCES accounts ON DELETE CASCADE,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE disabled_clients (
        client_id text COLLATE "C" NOT NULL CONSTRAINT disabled_clients_pkey PRIMARY KEY
      );
      CREATE TABLE satellites (
        id text COLLATE "C" NOT NULL CONSTRAINT satellites_pkey PRIMARY KEY,
        client_id text COLLATE "C" NOT NULL CONSTRAINT satellites_client_unique UNIQUE,
        name text NOT NULL,
        redirect_uris text[] NOT NULL,
        secret_hash bytea NOT NULL,
        previous_secret_hash bytea,
        previous_secret_until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        disabled_at timestamptz
      );
      CREATE TABLE satellite_codes (
        code_hash bytea NOT NULL CONSTRAINT satellite_codes_pkey PRIMARY KEY,
        client_id text COLLATE "C" NOT NULL CONSTRAINT satellite_codes_client_fkey REFERENCES satellites (client_id) ON DELETE CASCADE,
        session_id text COLLATE "C" NOT NULL CONSTRAINT satellite_codes_session_fkey REFERENCES sessions ON DELETE CASCADE,
        account_id text COLLATE "C" NOT NULL,
        tenant_id text COLLATE "C",
        redirect_uri text NOT NULL,
        code_challenge text COLLATE "C" NOT NULL,
        expires_at timestamptz NOT NULL,
        consumed_at timestamptz
      );
      CREATE INDEX satellite_codes_session_idx ON satellite_codes (session_id);
      CREATE INDEX satellite_codes_client_idx ON satellite_codes (client_id);
      CREATE INDEX satellite_codes_expiry_idx ON satellite_codes (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE satellite_codes, satellites, disabled_clients, operators');
  }
}
