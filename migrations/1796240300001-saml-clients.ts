import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Clients that speak SAML, their requests, and what they call people (ADR 82). */
export class SamlClients1796240300001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE satellites ADD COLUMN protocol text COLLATE "C" NOT NULL DEFAULT 'openid';
      CREATE TABLE saml_clients (
        client_id text COLLATE "C" NOT NULL,
        entity_id text COLLATE "C" NOT NULL,
        consumers jsonb NOT NULL,
        certificates text[] NOT NULL,
        require_signed_requests boolean NOT NULL,
        name_id_format text COLLATE "C" NOT NULL,
        attributes jsonb NOT NULL,
        logout_url text,
        logout_binding text COLLATE "C",
        idp_initiated boolean NOT NULL,
        default_relay_state text,
        CONSTRAINT saml_clients_pkey PRIMARY KEY (client_id),
        CONSTRAINT saml_clients_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE
      );
      CREATE TABLE saml_requests (
        client_id text COLLATE "C" NOT NULL,
        request_hash bytea NOT NULL,
        state_hash bytea NOT NULL,
        request_id text,
        consumer text NOT NULL,
        relay_state text,
        name_id_format text COLLATE "C" NOT NULL,
        allow_create boolean NOT NULL,
        authn_context text,
        answered_at timestamptz,
        expires_at timestamptz NOT NULL,
        CONSTRAINT saml_requests_pkey PRIMARY KEY (client_id, request_hash),
        CONSTRAINT saml_requests_state_unique UNIQUE (state_hash),
        CONSTRAINT saml_requests_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE
      );
      CREATE INDEX saml_requests_expiry_idx ON saml_requests (expires_at);
      CREATE TABLE saml_sessions (
        client_id text COLLATE "C" NOT NULL,
        session_id text COLLATE "C" NOT NULL,
        session_index text COLLATE "C" NOT NULL,
        name_id_format text COLLATE "C" NOT NULL,
        name_id text COLLATE "C" NOT NULL,
        CONSTRAINT saml_sessions_pkey PRIMARY KEY (client_id, session_id),
        CONSTRAINT saml_sessions_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE,
        CONSTRAINT saml_sessions_session_fkey FOREIGN KEY (session_id) REFERENCES sessions(id) ON DELETE CASCADE
      );
      CREATE TABLE saml_client_keys (
        kid text COLLATE "C" NOT NULL,
        client_id text COLLATE "C" NOT NULL,
        certificate text NOT NULL,
        sealed_private_key text NOT NULL,
        signs_from timestamptz NOT NULL,
        expires_at timestamptz,
        CONSTRAINT saml_client_keys_pkey PRIMARY KEY (kid),
        CONSTRAINT saml_client_keys_client_fkey FOREIGN KEY (client_id) REFERENCES satellites(client_id) ON DELETE CASCADE
      );
      CREATE INDEX saml_client_keys_client_idx ON saml_client_keys (client_id, signs_from);
      CREATE INDEX saml_client_keys_expiry_idx ON saml_client_keys (expires_at);
      CREATE INDEX saml_sessions_name_idx ON saml_sessions (client_id, name_id);
      CREATE INDEX saml_sessions_session_idx ON saml_sessions (session_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'DROP TABLE saml_client_keys; DROP TABLE saml_sessions; DROP TABLE saml_requests; DROP TABLE saml_clients; ALTER TABLE satellites DROP COLUMN protocol',
    );
  }
}
