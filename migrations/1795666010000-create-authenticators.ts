import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Second factors of people: authenticator apps, passkeys, recovery codes and trusted devices. */
export class CreateAuthenticators1795666010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE totp_authenticators (
        account_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        sealed_secret text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        confirmed_at timestamptz,
        last_used_at timestamptz,
        last_step bigint NOT NULL DEFAULT 0,
        failures int NOT NULL DEFAULT 0,
        blocked_at timestamptz,
        CONSTRAINT totp_authenticators_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT totp_authenticators_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE INDEX totp_authenticators_unconfirmed_idx ON totp_authenticators (created_at) WHERE confirmed_at IS NULL;
      CREATE TABLE passkey_users (
        account_id text COLLATE "C" NOT NULL,
        handle bytea NOT NULL,
        CONSTRAINT passkey_users_pkey PRIMARY KEY (account_id),
        CONSTRAINT passkey_users_handle_key UNIQUE (handle),
        CONSTRAINT passkey_users_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE TABLE passkeys (
        account_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        credential_id bytea NOT NULL,
        public_key bytea NOT NULL,
        sign_count bigint NOT NULL,
        backup_eligible boolean NOT NULL,
        backed_up boolean NOT NULL,
        transports text[] NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        CONSTRAINT passkeys_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT passkeys_credential_key UNIQUE (credential_id),
        CONSTRAINT passkeys_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE TABLE spent_ceremonies (
        flow_id bytea NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT spent_ceremonies_pkey PRIMARY KEY (flow_id)
      );
      CREATE INDEX spent_ceremonies_expiry_idx ON spent_ceremonies (expires_at);
      CREATE TABLE recovery_codes (
        account_id text COLLATE "C" NOT NULL,
        code_hash bytea NOT NULL,
        CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, code_hash),
        CONSTRAINT recovery_codes_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE TABLE trusted_devices (
        account_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        secret_hash bytea NOT NULL,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT trusted_devices_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT trusted_devices_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE INDEX trusted_devices_expiry_idx ON trusted_devices (expires_at);
      CREATE TABLE sign_in_challenges (
        challenge_hash bytea NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        password_version int NOT NULL,
        method text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL DEFAULT '',
        failures int NOT NULL DEFAULT 0,
        expires_at timestamptz NOT NULL,
        CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (challenge_hash),
        CONSTRAINT sign_in_challenges_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      );
      CREATE INDEX sign_in_challenges_account_idx ON sign_in_challenges (account_id);
      CREATE INDEX sign_in_challenges_expiry_idx ON sign_in_challenges (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE sign_in_challenges, trusted_devices, recovery_codes, spent_ceremonies, passkeys, passkey_users, totp_authenticators;
    `);
  }
}
