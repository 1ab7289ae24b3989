import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Connections of organizations to their own identity providers, their domains, rules and tests, and
 * links by which an organization's IT contact sets them up.
 */
export class CreateConnections1795676000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE connections (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT connections_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        name text NOT NULL,
        status text COLLATE "C" NOT NULL DEFAULT 'draft',
        settings_version int NOT NULL DEFAULT 1,
        tested_version int,
        tested_at timestamptz,
        tested_by text COLLATE "C",
        provisioning jsonb NOT NULL,
        trusts_second_factor boolean NOT NULL DEFAULT false,
        idp_initiated boolean NOT NULL DEFAULT false,
        last_sign_in_at timestamptz,
        last_error text COLLATE "C",
        last_error_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT connections_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT connections_id_unique UNIQUE (id)
      );
      CREATE TABLE oidc_connections (
        tenant_id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        issuer text COLLATE "C" NOT NULL,
        client_id text COLLATE "C" NOT NULL,
        client_authentication text COLLATE "C" NOT NULL,
        sealed_client_secret text,
        scopes text[] COLLATE "C" NOT NULL DEFAULT '{}',
        claims jsonb NOT NULL DEFAULT '{}',
        acr_values text[] COLLATE "C" NOT NULL DEFAULT '{}',
        CONSTRAINT oidc_connections_pkey PRIMARY KEY (tenant_id, connection_id),
        CONSTRAINT oidc_connections_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE
      );
      CREATE TABLE saml_connections (
        tenant_id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        entity_id text COLLATE "C" NOT NULL,
        sso_url text NOT NULL,
        slo_url text,
        metadata_url text,
        metadata_valid_until timestamptz,
        fetched_at timestamptz,
        fetch_failed_at timestamptz,
        next_fetch_at timestamptz,
        waiting_certificates text[],
        sign_requests boolean NOT NULL DEFAULT false,
        want_encrypted_assertions boolean NOT NULL DEFAULT false,
        name_id_format text COLLATE "C",
        attributes jsonb NOT NULL DEFAULT '{}',
        CONSTRAINT saml_connections_pkey PRIMARY KEY (tenant_id, connection_id),
        CONSTRAINT saml_connections_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX saml_connections_fetch_idx ON saml_connections (next_fetch_at) WHERE next_fetch_at IS NOT NULL;
      CREATE TABLE connection_certificates (
        tenant_id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        sha256 text COLLATE "C" NOT NULL,
        certificate text NOT NULL,
        source text COLLATE "C" NOT NULL,
        not_after timestamptz NOT NULL,
        first_seen timestamptz NOT NULL DEFAULT now(),
        last_used timestamptz,
        retired_at timestamptz,
        warn_at timestamptz,
        CONSTRAINT connection_certificates_pkey PRIMARY KEY (tenant_id, connection_id, sha256),
        CONSTRAINT connection_certificates_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX connection_certificates_warn_idx ON connection_certificates (warn_at) WHERE warn_at IS NOT NULL;
      CREATE TABLE tenant_domains (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT tenant_domains_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        domain text COLLATE "C" NOT NULL,
        token text COLLATE "C" NOT NULL,
        status text COLLATE "C" NOT NULL DEFAULT 'pending',
        verified_at timestamptz,
        checked_at timestamptz,
        missing_since timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT tenant_domains_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT tenant_domains_domain_unique UNIQUE (tenant_id, domain)
      );
      CREATE UNIQUE INDEX tenant_domains_verified_idx ON tenant_domains (domain) WHERE status = 'verified';
      CREATE INDEX tenant_domains_check_idx ON tenant_domains (checked_at) WHERE status = 'verified';
      CREATE TABLE connection_domains (
        tenant_id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        domain_id text COLLATE "C" NOT NULL,
        CONSTRAINT connection_domains_pkey PRIMARY KEY (tenant_id, connection_id, domain_id),
        CONSTRAINT connection_domains_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT connection_domains_domain_fkey FOREIGN KEY (tenant_id, domain_id) REFERENCES tenant_domains (tenant_id, id)
      );
      CREATE INDEX connection_domains_domain_idx ON connection_domains (tenant_id, domain_id);
      CREATE TABLE connection_rules (
        tenant_id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        ordinal int NOT NULL,
        attribute text NOT NULL,
        operator text COLLATE "C" NOT NULL,
        value text NOT NULL,
        role_ids text[] COLLATE "C" NOT NULL,
        CONSTRAINT connection_rules_pkey PRIMARY KEY (tenant_id, connection_id, ordinal),
        CONSTRAINT connection_rules_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE
      );
      CREATE TABLE connection_tests (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C" NOT NULL,
        created_by text COLLATE "C",
        settings_version int NOT NULL,
        status text COLLATE "C" NOT NULL DEFAULT 'waiting',
        sealed_result text,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        CONSTRAINT connection_tests_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT connection_tests_id_unique UNIQUE (id),
        CONSTRAINT connection_tests_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX connection_tests_connection_idx ON connection_tests (tenant_id, connection_id);
      CREATE INDEX connection_tests_creator_idx ON connection_tests (created_by) WHERE created_by IS NOT NULL;
      CREATE INDEX connection_tests_expiry_idx ON connection_tests (expires_at);
      CREATE TABLE setup_links (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT setup_links_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        token_hash bytea NOT NULL,
        intents text[] COLLATE "C" NOT NULL,
        connection_id text COLLATE "C",
        created_by text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        revoked_at timestamptz,
        last_used_at timestamptz,
        CONSTRAINT setup_links_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT setup_links_token_unique UNIQUE (token_hash),
        CONSTRAINT setup_links_connection_fkey FOREIGN KEY (tenant_id, connection_id) REFERENCES connections (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX setup_links_connection_idx ON setup_links (tenant_id, connection_id);
      CREATE INDEX setup_links_expiry_idx ON setup_links (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE setup_links, connection_tests, connection_rules, connection_domains, tenant_domains,
         connection_certificates, saml_connections, oidc_connections, connections`,
    );
  }
}
