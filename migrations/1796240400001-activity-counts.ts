import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Counts of what happens, by hour and day. Free space in pages, as each row is updated often. */
export class ActivityCounts1796240400001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE activity_counts (
        tenant_id text COLLATE "C" NOT NULL,
        span text COLLATE "C" NOT NULL,
        name text COLLATE "C" NOT NULL,
        starts_at timestamptz NOT NULL,
        source text COLLATE "C" NOT NULL,
        value text COLLATE "C" NOT NULL,
        count bigint NOT NULL,
        CONSTRAINT activity_counts_pkey PRIMARY KEY (tenant_id, span, name, starts_at, source, value)
      ) WITH (fillfactor = 70);
      CREATE INDEX activity_counts_span_idx ON activity_counts (span, starts_at);
      CREATE INDEX webhook_endpoints_failing_idx ON webhook_endpoints (tenant_id, id) WHERE status = 'failing';`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX webhook_endpoints_failing_idx; DROP TABLE activity_counts');
  }
}
