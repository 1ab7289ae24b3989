import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The cleanup finds secrets of subscriptions that were replaced more than a day ago. */
export class FindReplacedSecrets1795792200100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'CREATE INDEX webhook_endpoints_previous_idx ON webhook_endpoints (previous_until) WHERE previous_until IS NOT NULL',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_endpoints_previous_idx');
  }
}
