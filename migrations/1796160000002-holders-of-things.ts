import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who has a role on a thing, in order of id. */
export class HoldersOfThings1796160000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX role_assignments_holder_idx ON role_assignments (tenant_id, thing, user_id)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX role_assignments_holder_idx');
  }
}
