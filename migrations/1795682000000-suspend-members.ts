import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Status and source of memberships, and sources of the roles of members: a role held from two
 * sources has two rows. The previous release writes rows of the source `manual`, by the default.
 */
export class SuspendMembers1795682000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE members
        ADD COLUMN status text NOT NULL DEFAULT 'active' CONSTRAINT members_status_known CHECK (status IN ('active', 'suspended')),
        ADD COLUMN source text NOT NULL DEFAULT 'manual' CONSTRAINT members_source_known CHECK (source IN ('manual', 'connection', 'directory'));
      ALTER TABLE member_roles
        ADD COLUMN source text COLLATE "C" NOT NULL DEFAULT 'manual' CONSTRAINT member_roles_source_known CHECK (source IN ('manual', 'connection', 'directory'));
      ALTER TABLE member_roles
        DROP CONSTRAINT member_roles_pkey,
        ADD CONSTRAINT member_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id, source)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM member_roles mr WHERE EXISTS (
        SELECT 1 FROM member_roles o WHERE o.tenant_id = mr.tenant_id AND o.user_id = mr.user_id
          AND o.role_id = mr.role_id AND o.source < mr.source);
      ALTER TABLE member_roles
        DROP CONSTRAINT member_roles_pkey,
        ADD CONSTRAINT member_roles_pkey PRIMARY KEY (tenant_id, user_id, role_id);
      ALTER TABLE member_roles DROP COLUMN source;
      ALTER TABLE members DROP COLUMN status, DROP COLUMN source`);
  }
}
