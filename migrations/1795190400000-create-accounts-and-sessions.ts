import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Accounts, pending registrations, sessions with grants, signing keys, outgoing mails. */
export class CreateAccountsAndSessions1795190400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE accounts (
        id text COLLATE "C" NOT NULL CONSTRAINT accounts_pkey PRIMARY KEY,
        email text,
        email_key text COLLATE "C" CONSTRAINT accounts_email_key_unique UNIQUE,
        password_hash text,
        password_version int NOT NULL DEFAULT 1,
        first_name text,
        company text,
        country text,
        marketing_opt_in boolean NOT NULL DEFAULT false,
        created_at timestamptz NOT NULL DEFAULT now(),
        erased_at timestamptz,
        CONSTRAINT accounts_erased_is_anonymous CHECK (
          erased_at IS NULL OR (email IS NULL AND email_key IS NULL AND password_hash IS NULL AND first_name IS NULL AND company IS NULL AND country IS NULL))
      );
      CREATE TABLE pending_registrations (
        token_hash bytea NOT NULL CONSTRAINT pending_registrations_pkey PRIMARY KEY,
        email text NOT NULL,
        email_key text COLLATE "C" NOT NULL,
        password_hash text NOT NULL,
        first_name text NOT NULL,
        company text,
        country text,
        marketing_opt_in boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX pending_registrations_email_idx ON pending_registrations (email_key, created_at DESC);
      CREATE INDEX pending_registrations_expiry_idx ON pending_registrations (expires_at);
      CREATE TABLE password_resets (
        token_hash bytea NOT NULL CONSTRAINT password_resets_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL CONSTRAINT password_resets_account_fkey REFERENCES accounts ON DELETE CASCADE,
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX password_resets_account_idx ON password_resets (account_id);
      CREATE INDEX password_resets_expiry_idx ON password_resets (expires_at);
      CREATE TABLE login_throttles (
        account_key bytea NOT NULL,
        network_key bytea NOT NULL,
        failures int NOT NULL,
        blocked_until timestamptz NOT NULL,
        expires_at timestamptz NOT NULL,
        CONSTRAINT login_throttles_pkey PRIMARY KEY (account_key, network_key)
      );
      CREATE INDEX login_throttles_expiry_idx ON login_throttles (expires_at);
      CREATE TABLE sessions (
        id text COLLATE "C" NOT NULL CONSTRAINT sessions_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL CONSTRAINT sessions_account_fkey REFERENCES accounts ON DELETE CASCADE,
        amr text[] NOT NULL,
        ip_address text,
        user_agent text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        ended_at timestamptz
      );
      CREATE INDEX sessions_account_idx ON sessions (account_id, id) WHERE ended_at IS NULL;
      CREATE INDEX sessions_expiry_idx ON sessions (expires_at);
      CREATE INDEX sessions_ended_idx ON sessions (ended_at) WHERE ended_at IS NOT NULL;
      CREATE TABLE grants (
        id text COLLATE "C" NOT NULL CONSTRAINT grants_pkey PRIMARY KEY,
        session_id text COLLATE "C" NOT NULL CONSTRAINT grants_session_fkey REFERENCES sessions ON DELETE CASCADE,
        account_id text COLLATE "C" NOT NULL,
        client_id text COLLATE "C" NOT NULL,
        tenant_id text COLLATE "C",
        generation int NOT NULL DEFAULT 1,
        rotated_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz NOT NULL DEFAULT now(),
        idle_expires_at timestamptz NOT NULL,
        ended_at timestamptz
      );
      CREATE INDEX grants_session_idx ON grants (session_id);
      CREATE TABLE signing_keys (
        kid text COLLATE "C" NOT NULL CONSTRAINT signing_keys_pkey PRIMARY KEY,
        public_jwk jsonb NOT NULL,
        sealed_private_key text NOT NULL,
        signs_from timestamptz NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE outgoing_mails (
        id text COLLATE "C" NOT NULL CONSTRAINT outgoing_mails_pkey PRIMARY KEY,
        recipient_key bytea NOT NULL,
        kind text NOT NULL,
        sealed text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX outgoing_mails_recipient_idx ON outgoing_mails (recipient_key, kind, created_at);
      CREATE INDEX outgoing_mails_expiry_idx ON outgoing_mails (expires_at);
      CREATE TABLE audit_events (
        id text COLLATE "C" NOT NULL CONSTRAINT audit_events_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL,
        action text NOT NULL,
        session_id text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX audit_events_account_idx ON audit_events (account_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE audit_events, outgoing_mails, signing_keys, grants, sessions, login_throttles, password_resets, pending_registrations, accounts',
    );
  }
}
