import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Adds authorization requests, codes and consents of OpenID Connect, and the scopes of a grant:
 * null for the grants of apps and satellites, which have no scopes of their own.
 */
export class CreateOpenIdRequests1795753000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE grants ADD COLUMN granted_scopes text[];
      CREATE TABLE oidc_requests (
        request_hash bytea NOT NULL CONSTRAINT oidc_requests_pkey PRIMARY KEY,
        client_id text COLLATE "C" NOT NULL CONSTRAINT oidc_requests_client_fkey REFERENCES satellites (client_id) ON DELETE CASCADE,
        pushed boolean NOT NULL,
        redirect_uri text NOT NULL,
        scopes text[] NOT NULL,
        state text,
        nonce text,
        code_challenge text COLLATE "C" NOT NULL,
        prompts text[] NOT NULL,
        max_age int,
        acr text COLLATE "C",
        login_hint text,
        subject_hint text COLLATE "C",
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL
      );
      CREATE INDEX oidc_requests_client_idx ON oidc_requests (client_id);
      CREATE INDEX oidc_requests_expiry_idx ON oidc_requests (expires_at);
      CREATE INDEX oidc_requests_subject_idx ON oidc_requests (subject_hint) WHERE subject_hint IS NOT NULL;
      CREATE TABLE oidc_codes (
        code_hash bytea NOT NULL CONSTRAINT oidc_codes_pkey PRIMARY KEY,
        client_id text COLLATE "C" NOT NULL CONSTRAINT oidc_codes_client_fkey REFERENCES satellites (client_id) ON DELETE CASCADE,
        session_id text COLLATE "C" NOT NULL CONSTRAINT oidc_codes_session_fkey REFERENCES sessions (id) ON DELETE CASCADE,
        account_id text COLLATE "C" NOT NULL,
        tenant_id text COLLATE "C",
        redirect_uri text NOT NULL,
        code_challenge text COLLATE "C" NOT NULL,
        scopes text[] NOT NULL,
        nonce text,
        grant_id text COLLATE "C",
        expires_at timestamptz NOT NULL,
        consumed_at timestamptz
      );
      CREATE INDEX oidc_codes_client_idx ON oidc_codes (client_id);
      CREATE INDEX oidc_codes_expiry_idx ON oidc_codes (expires_at);
      CREATE INDEX oidc_codes_session_idx ON oidc_codes (session_id);
      CREATE INDEX oidc_codes_tenant_idx ON oidc_codes (tenant_id) WHERE tenant_id IS NOT NULL;
      CREATE TABLE oidc_consents (
        account_id text COLLATE "C" NOT NULL,
        client_id text COLLATE "C" NOT NULL CONSTRAINT oidc_consents_client_fkey REFERENCES satellites (client_id) ON DELETE CASCADE,
        scopes text[] NOT NULL,
        granted_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT oidc_consents_pkey PRIMARY KEY (account_id, client_id)
      );
      CREATE INDEX oidc_consents_client_idx ON oidc_consents (client_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE oidc_consents, oidc_codes, oidc_requests;
      ALTER TABLE grants DROP COLUMN granted_scopes;
    `);
  }
}
