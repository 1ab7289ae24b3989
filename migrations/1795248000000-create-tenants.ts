import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Tenants with members, roles and invitations. Composite keys keep every row inside its tenant. The
 * audit trail becomes append-only.
 */
export class CreateTenants1795248000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE tenants (
        id text COLLATE "C" NOT NULL CONSTRAINT tenants_pkey PRIMARY KEY,
        name text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        archived_at timestamptz
      );
      CREATE TABLE roles (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT roles_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        key text COLLATE "C" NOT NULL,
        name text NOT NULL,
        scopes text[] NOT NULL,
        built_in boolean NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT roles_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT roles_key_unique UNIQUE (tenant_id, key)
      );
      CREATE TABLE members (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT members_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        user_id text COLLATE "C" NOT NULL CONSTRAINT members_account_fkey REFERENCES accounts ON DELETE CASCADE,
        joined_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT members_pkey PRIMARY KEY (tenant_id, user_id)
      );
      CREATE INDEX members_user_idx ON members (user_id, tenant_id);
      CREATE TABLE member_roles (
        tenant_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        role_id text COLLATE "C" NOT NULL,
        CONSTRAINT member_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id),
        CONSTRAINT member_roles_member_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES members ON DELETE CASCADE,
        CONSTRAINT member_roles_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles
      );
      CREATE INDEX member_roles_role_idx ON member_roles (tenant_id, role_id, user_id);
      CREATE TABLE invitations (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT invitations_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        email text NOT NULL,
        email_key text COLLATE "C" NOT NULL,
        role_ids text[] NOT NULL,
        token_hash bytea NOT NULL CONSTRAINT invitations_token_unique UNIQUE,
        invited_by text COLLATE "C" NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        accepted_at timestamptz,
        revoked_at timestamptz,
        CONSTRAINT invitations_pkey PRIMARY KEY (tenant_id, id)
      );
      CREATE INDEX invitations_email_idx ON invitations (email_key, tenant_id);
      CREATE INDEX invitations_expires_idx ON invitations (expires_at);
      CREATE UNIQUE INDEX invitations_one_open_idx ON invitations (tenant_id, email_key) WHERE accepted_at IS NULL AND revoked_at IS NULL;
      CREATE INDEX grants_tenant_idx ON grants (account_id, tenant_id) WHERE tenant_id IS NOT NULL AND ended_at IS NULL;
      ALTER TABLE audit_events ADD COLUMN tenant_id text COLLATE "C", ADD COLUMN subject text COLLATE "C";
      UPDATE audit_events SET subject = 'iam/sessions/' || session_id WHERE session_id IS NOT NULL;
      ALTER TABLE audit_events DROP COLUMN session_id;
      CREATE INDEX audit_events_tenant_idx ON audit_events (tenant_id, id) WHERE tenant_id IS NOT NULL;
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'The audit trail is append-only.'; END $$;
      CREATE TRIGGER audit_events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER audit_events_append_only ON audit_events;
      DROP FUNCTION refuse_change;
      DROP INDEX audit_events_tenant_idx, grants_tenant_idx;
      ALTER TABLE audit_events ADD COLUMN session_id text COLLATE "C";
      UPDATE audit_events SET session_id = substr(subject, 14) WHERE subject LIKE 'iam/sessions/%';
      ALTER TABLE audit_events DROP COLUMN tenant_id, DROP COLUMN subject;
      DROP TABLE invitations, member_roles, members, roles, tenants;
    `);
  }
}
