import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Index for lists of members by state and by what added them. */
export class FilterMembers1796200000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX members_state_idx ON members (tenant_id, status, source, user_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX members_state_idx');
  }
}
