import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Keeps what directories have suspended by organization, so that it outlives records and
 * directories; keys of the names of rules, as groups have them; rules of deleted groups wait for
 * their name. Times of records are in milliseconds, as SCIM shows them. An `externalId` is unique
 * among the people who have not left.
 */
export class RememberSuspensionsOfDirectories1795990000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE directory_suspensions (
        tenant_id text COLLATE "C" NOT NULL,
        account_id text COLLATE "C" NOT NULL,
        kind text COLLATE "C" NOT NULL,
        CONSTRAINT directory_suspensions_pkey PRIMARY KEY (tenant_id, account_id, kind),
        CONSTRAINT directory_suspensions_kind_known CHECK (kind IN ('account', 'member'))
      );
      CREATE INDEX directory_suspensions_account_idx ON directory_suspensions (account_id);
      INSERT INTO directory_suspensions (tenant_id, account_id, kind)
        SELECT DISTINCT tenant_id, account_id, 'account' FROM directory_users WHERE suspended_account AND account_id IS NOT NULL
        UNION SELECT DISTINCT tenant_id, account_id, 'member' FROM directory_users WHERE suspended_member AND account_id IS NOT NULL;
      ALTER TABLE directory_users DROP CONSTRAINT directory_users_external_unique,
        ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now()),
        ALTER COLUMN updated_at SET DEFAULT date_trunc('milliseconds', now());
      ALTER TABLE directory_groups ALTER COLUMN created_at SET DEFAULT date_trunc('milliseconds', now()),
        ALTER COLUMN updated_at SET DEFAULT date_trunc('milliseconds', now());
      UPDATE directory_users SET created_at = date_trunc('milliseconds', created_at),
        updated_at = date_trunc('milliseconds', updated_at);
      UPDATE directory_groups SET created_at = date_trunc('milliseconds', created_at),
        updated_at = date_trunc('milliseconds', updated_at);
      CREATE INDEX directory_users_external_idx ON directory_users (tenant_id, directory_id, external_id);
      CREATE UNIQUE INDEX directory_users_external_active_idx ON directory_users (tenant_id, directory_id, external_id) WHERE active;
      ALTER TABLE directory_rules ADD COLUMN group_name_key text COLLATE "C";
      UPDATE directory_rules r SET group_id = NULL WHERE group_id IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM directory_groups g
        WHERE g.tenant_id = r.tenant_id AND g.directory_id = r.directory_id AND g.id = r.group_id);
    `);
    const rules: unknown = await runner.query('SELECT DISTINCT group_name AS name FROM directory_rules');
    for (const { name } of rules as { name: string }[])
      await runner.query('UPDATE directory_rules SET group_name_key = $2 WHERE group_name = $1', [
        name,
        name.toLowerCase(),
      ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE directory_rules DROP COLUMN group_name_key;
      DROP INDEX directory_users_external_active_idx, directory_users_external_idx;
      ALTER TABLE directory_groups ALTER COLUMN created_at SET DEFAULT now(), ALTER COLUMN updated_at SET DEFAULT now();
      ALTER TABLE directory_users ALTER COLUMN created_at SET DEFAULT now(), ALTER COLUMN updated_at SET DEFAULT now(),
        ADD CONSTRAINT directory_users_external_unique UNIQUE (tenant_id, directory_id, external_id);
      UPDATE directory_users u SET
        suspended_account = EXISTS (SELECT 1 FROM directory_suspensions s
          WHERE s.tenant_id = u.tenant_id AND s.account_id = u.account_id AND s.kind = 'account'),
        suspended_member = EXISTS (SELECT 1 FROM directory_suspensions s
          WHERE s.tenant_id = u.tenant_id AND s.account_id = u.account_id AND s.kind = 'member')
        WHERE account_id IS NOT NULL;
      DROP TABLE directory_suspensions;
    `);
  }
}
