import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds devices that wait for a person (RFC 8628), and the wrong codes of sessions. */
export class CreateDevices1795761000020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE oidc_devices (
        device_hash bytea NOT NULL CONSTRAINT oidc_devices_pkey PRIMARY KEY,
        user_code_hash bytea NOT NULL CONSTRAINT oidc_devices_user_code_unique UNIQUE,
        client_id text COLLATE "C" NOT NULL CONSTRAINT oidc_devices_client_fkey REFERENCES satellites (client_id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        status text COLLATE "C" NOT NULL DEFAULT 'waiting' CONSTRAINT oidc_devices_status_known CHECK (status IN ('waiting', 'approved', 'denied')),
        session_id text COLLATE "C" CONSTRAINT oidc_devices_session_fkey REFERENCES sessions (id) ON DELETE CASCADE,
        account_id text COLLATE "C",
        tenant_id text COLLATE "C",
        interval_seconds int NOT NULL,
        polled_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX oidc_devices_client_idx ON oidc_devices (client_id);
      CREATE INDEX oidc_devices_expiry_idx ON oidc_devices (expires_at);
      CREATE INDEX oidc_devices_session_idx ON oidc_devices (session_id);
      CREATE INDEX oidc_devices_tenant_idx ON oidc_devices (tenant_id) WHERE tenant_id IS NOT NULL;
      CREATE TABLE oidc_device_guesses (
        session_id text COLLATE "C" NOT NULL CONSTRAINT oidc_device_guesses_pkey PRIMARY KEY
          CONSTRAINT oidc_device_guesses_session_fkey REFERENCES sessions (id) ON DELETE CASCADE,
        failures int NOT NULL,
        begun_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX oidc_device_guesses_begin_idx ON oidc_device_guesses (begun_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE oidc_device_guesses, oidc_devices');
  }
}
