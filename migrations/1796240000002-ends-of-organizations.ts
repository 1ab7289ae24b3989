import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What ends soon in one organization. Only rows with an end are in these indexes. */
export class EndsOfOrganizations1796240000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX members_ends_idx ON members (tenant_id, until) WHERE until IS NOT NULL;
      CREATE INDEX member_roles_ends_idx ON member_roles (tenant_id, until) WHERE until IS NOT NULL;
      CREATE INDEX role_assignments_ends_idx ON role_assignments (tenant_id, until) WHERE until IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX role_assignments_ends_idx, member_roles_ends_idx, members_ends_idx');
  }
}
