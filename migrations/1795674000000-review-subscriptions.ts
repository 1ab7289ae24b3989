import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Subscriptions wait for a review of the scopes of their creators, before the next delivery. */
export class ReviewSubscriptions1795674000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE webhook_endpoints ADD COLUMN review_at timestamptz;
      CREATE INDEX webhook_endpoints_review_idx ON webhook_endpoints (review_at) WHERE review_at IS NOT NULL;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE webhook_endpoints DROP COLUMN review_at');
  }
}
