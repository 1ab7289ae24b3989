import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What is below a registered thing, in order of id. */
export class ThingsBelow1796160000004 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX registered_parents_below_idx ON registered_parents (tenant_id, parent, thing)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX registered_parents_below_idx');
  }
}
