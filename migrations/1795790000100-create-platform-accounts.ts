import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Service accounts of the platform itself, which belong to no organization, and their keys. */
export class CreatePlatformAccounts1795790000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE platform_accounts (
        id text COLLATE "C" NOT NULL CONSTRAINT platform_accounts_pkey PRIMARY KEY,
        name text NOT NULL,
        role text NOT NULL CONSTRAINT platform_accounts_role_known CHECK (role IN ('support', 'admin')),
        status text COLLATE "C" NOT NULL DEFAULT 'active',
        created_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE TABLE platform_keys (
        id text COLLATE "C" NOT NULL CONSTRAINT platform_keys_pkey PRIMARY KEY,
        account_id text COLLATE "C" NOT NULL CONSTRAINT platform_keys_account_fkey REFERENCES platform_accounts ON DELETE CASCADE,
        lookup text COLLATE "C" NOT NULL CONSTRAINT platform_keys_lookup_unique UNIQUE,
        name text NOT NULL,
        secret_hash bytea NOT NULL,
        scopes text[] COLLATE "C",
        networks text[] COLLATE "C" NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        expires_at timestamptz NOT NULL,
        last_used_at timestamptz
      );
      CREATE INDEX platform_keys_account_idx ON platform_keys (account_id, id);
      CREATE INDEX platform_keys_expiry_idx ON platform_keys (expires_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE platform_keys, platform_accounts');
  }
}
