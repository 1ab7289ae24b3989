import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Roles that members hold on single things. */
export class RoleAssignments1796070000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE role_assignments (
        tenant_id text COLLATE "C" NOT NULL,
        id text COLLATE "C" NOT NULL,
        user_id text COLLATE "C" NOT NULL,
        role_id text COLLATE "C" NOT NULL,
        thing text COLLATE "C" NOT NULL,
        until timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        created_by text COLLATE "C" NOT NULL,
        CONSTRAINT role_assignments_pkey PRIMARY KEY (tenant_id, id),
        CONSTRAINT role_assignments_member_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES members(tenant_id, user_id) ON DELETE CASCADE,
        CONSTRAINT role_assignments_role_fkey FOREIGN KEY (tenant_id, role_id) REFERENCES roles(tenant_id, id)
      );
      CREATE INDEX role_assignments_user_idx ON role_assignments (tenant_id, user_id, thing);
      CREATE INDEX role_assignments_thing_idx ON role_assignments (tenant_id, thing, id);
      CREATE INDEX role_assignments_role_idx ON role_assignments (tenant_id, role_id, id);
      CREATE INDEX role_assignments_until_idx ON role_assignments (until) WHERE until IS NOT NULL;`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE role_assignments');
  }
}
