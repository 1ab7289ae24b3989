import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A cleanup ends partnerships whose time is over, and tells both sides. */
export class EndsOfPartnerships1796250500001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      "CREATE INDEX partnerships_ends_idx ON partnerships (until) WHERE status = 'active' AND until IS NOT NULL",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX partnerships_ends_idx');
  }
}
