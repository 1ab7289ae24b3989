import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ends of memberships and roles of members, and when their notices are due. */
export class EndsOfAccess1796110000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE members ADD COLUMN until timestamptz, ADD COLUMN notice_at timestamptz;
      ALTER TABLE member_roles ADD COLUMN until timestamptz, ADD COLUMN notice_at timestamptz;
      ALTER TABLE role_assignments ADD COLUMN notice_at timestamptz;
      CREATE INDEX members_until_idx ON members (until) WHERE until IS NOT NULL;
      CREATE INDEX members_notice_idx ON members (notice_at) WHERE notice_at IS NOT NULL;
      CREATE INDEX member_roles_until_idx ON member_roles (until) WHERE until IS NOT NULL;
      CREATE INDEX member_roles_notice_idx ON member_roles (notice_at) WHERE notice_at IS NOT NULL;
      CREATE INDEX role_assignments_notice_idx ON role_assignments (notice_at) WHERE notice_at IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE role_assignments DROP COLUMN notice_at;
      ALTER TABLE member_roles DROP COLUMN notice_at, DROP COLUMN until;
      ALTER TABLE members DROP COLUMN notice_at, DROP COLUMN until;`);
  }
}
