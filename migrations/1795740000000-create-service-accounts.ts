import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Service accounts with their roles, and the credentials of service accounts and of people who call
 * the API from programs. The response under an `Idempotency-Key` can belong to a service account.
 */
export class CreateServiceAccounts1795740000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE service_accounts (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT service_accounts_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        description text,
        contact text,
        status text COLLATE "C" NOT NULL DEFAULT 'active',
        created_by text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        last_used_at timestamptz,
        CONSTRAINT service_accounts_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT service_accounts_id_unique UNIQUE (id)
      );
      CREATE TABLE service_account_roles (
        tenant_id text COLLATE "C" NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        role_id text COLLATE "C" NOT NULL,
        CONSTRAINT service_account_roles_pkey PRIMARY KEY (tenant_id, account_id, role_id),
        CONSTRAINT service_account_roles_account_fkey FOREIGN KEY (tenant_id, account_id) REFERENCES service_accounts (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT service_account_roles_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles (tenant_id, id)
      );
      CREATE INDEX service_account_roles_role_idx ON service_account_roles (tenant_id, role_id, account_id);
      CREATE TABLE machine_credentials (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT machine_credentials_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        owner_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        owner_kind text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        lookup text COLLATE "C",
        name text NOT NULL,
        secret_hash bytea,
        public_key jsonb,
        jwks_uri text,
        scopes text[] COLLATE "C",
        networks text[] COLLATE "C" NOT NULL DEFAULT '{}',
        created_by text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        warn_at timestamptz,
        last_used_at timestamptz,
        CONSTRAINT machine_credentials_pkey PRIMARY KEY (tenant_id, owner_id, id),
        CONSTRAINT machine_credentials_lookup_unique UNIQUE (lookup)
      );
      CREATE INDEX machine_credentials_person_idx ON machine_credentials (owner_id, tenant_id) WHERE owner_kind = 'person';
      CREATE INDEX machine_credentials_expiry_idx ON machine_credentials (expires_at) WHERE expires_at IS NOT NULL;
      CREATE INDEX machine_credentials_warning_idx ON machine_credentials (warn_at) WHERE warn_at IS NOT NULL;
      ALTER TABLE idempotent_responses DROP CONSTRAINT idempotent_responses_account_fkey;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM idempotent_responses r WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = r.account_id);
      ALTER TABLE idempotent_responses ADD CONSTRAINT idempotent_responses_account_fkey
        FOREIGN KEY (account_id) REFERENCES accounts ON DELETE CASCADE;
      DROP TABLE machine_credentials, service_account_roles, service_accounts;
    `);
  }
}
