import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Directories of organizations (SCIM), their tokens, the users and groups that they sent, apart
 * from accounts, rules from groups to roles, and a log of calls.
 */
export class CreateDirectories1795730000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE directories (
        tenant_id text COLLATE "C" NOT NULL CONSTRAINT directories_tenant_fkey REFERENCES tenants ON DELETE CASCADE,
        id text COLLATE "C" NOT NULL,
        connection_id text COLLATE "C",
        name text NOT NULL,
        status text COLLATE "C" NOT NULL DEFAULT 'active',
        on_delete text COLLATE "C" NOT NULL DEFAULT 'suspend',
        match_attribute text COLLATE "C" NOT NULL DEFAULT 'externalId',
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT directories_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT directories_id_unique UNIQUE (id)
      );
      CREATE TABLE directory_tokens (
        tenant_id text COLLATE "C" NOT NULL,
        directory_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        name text NOT NULL,
        secret_hash bytea NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz,
        last_used_at timestamptz,
        CONSTRAINT directory_tokens_pkey PRIMARY KEY (tenant_id, directory_id, id),
        CONSTRAINT directory_tokens_id_unique UNIQUE (id),
        CONSTRAINT directory_tokens_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX directory_tokens_expiry_idx ON directory_tokens (expires_at) WHERE expires_at IS NOT NULL;
      CREATE TABLE directory_users (
        tenant_id text COLLATE "C" NOT NULL,
        directory_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        user_name_key text COLLATE "C" NOT NULL,
        external_id text COLLATE "C",
        active boolean NOT NULL DEFAULT true,
        email_key text COLLATE "C",
        display_name_key text COLLATE "C",
        attributes jsonb NOT NULL,
        account_id text COLLATE "C",
        state text COLLATE "C" NOT NULL DEFAULT 'pending',
        reason text COLLATE "C",
        version int NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT directory_users_pkey PRIMARY KEY (tenant_id, directory_id, id),
        CONSTRAINT directory_users_name_unique UNIQUE (tenant_id, directory_id, user_name_key),
        CONSTRAINT directory_users_external_unique UNIQUE (tenant_id, directory_id, external_id),
        CONSTRAINT directory_users_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX directory_users_email_idx ON directory_users (tenant_id, directory_id, email_key);
      CREATE INDEX directory_users_display_idx ON directory_users (tenant_id, directory_id, display_name_key);
      CREATE INDEX directory_users_state_idx ON directory_users (tenant_id, directory_id, state, id);
      CREATE UNIQUE INDEX directory_users_account_idx ON directory_users (account_id, directory_id) WHERE account_id IS NOT NULL;
      CREATE TABLE directory_groups (
        tenant_id text COLLATE "C" NOT NULL,
        directory_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        external_id text COLLATE "C",
        display_name_key text COLLATE "C" NOT NULL,
        attributes jsonb NOT NULL,
        version int NOT NULL DEFAULT 1,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT directory_groups_pkey PRIMARY KEY (tenant_id, directory_id, id),
        CONSTRAINT directory_groups_external_unique UNIQUE (tenant_id, directory_id, external_id),
        CONSTRAINT directory_groups_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories (tenant_id, id) ON DELETE CASCADE
      );
      CREATE INDEX directory_groups_display_idx ON directory_groups (tenant_id, directory_id, display_name_key);
      CREATE TABLE directory_group_members (
        tenant_id text COLLATE "C" NOT NULL,
        directory_id text COLLATE "C" NOT NULL,
        group_id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        CONSTRAINT directory_group_members_pkey PRIMARY KEY (tenant_id, directory_id, group_id, user_id),
        CONSTRAINT directory_group_members_group_fkey FOREIGN KEY (tenant_id, directory_id, group_id) REFERENCES directory_groups (tenant_id, directory_id, id) ON DELETE CASCADE,
        CONSTRAINT directory_group_members_user_fkey FOREIGN KEY (tenant_id, directory_id, user_id) REFERENCES directory_users (tenant_id, directory_id, id) ON DELETE CASCADE
      );
      CREATE INDEX directory_group_members_user_idx ON directory_group_members (tenant_id, directory_id, user_id);
      CREATE TABLE directory_rules (
        tenant_id text COLLATE "C" NOT NULL,
        directory_id text COLLATE "C" NOT NULL,
        ordinal int NOT NULL,
        group_id text COLLATE "C",
        group_name text NOT NULL,
        role_ids text[] COLLATE "C" NOT NULL,
        CONSTRAINT directory_rules_pkey PRIMARY KEY (tenant_id, directory_id, ordinal),
        CONSTRAINT directory_rules_directory_fkey FOREIGN KEY (tenant_id, directory_id) REFERENCES directories (tenant_id, id) ON DELETE CASCADE
      );
      CREATE TABLE directory_log (
        tenant_id text COLLATE "C" NOT NULL,
        directory_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        method text COLLATE "C" NOT NULL,
        path text COLLATE "C" NOT NULL,
        status int NOT NULL,
        scim_type text COLLATE "C",
        sealed_excerpt text,
        CONSTRAINT directory_log_pkey PRIMARY KEY (tenant_id, directory_id, id)
      );
      CREATE INDEX directory_log_at_idx ON directory_log (at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `DROP TABLE directory_log, directory_rules, directory_group_members, directory_groups, directory_users,
         directory_tokens, directories`,
    );
  }
}
