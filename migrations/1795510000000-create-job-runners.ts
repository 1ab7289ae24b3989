import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who works on jobs: what a process held that has died is free again within seconds. */
export class CreateJobRunners1795510000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_runners (
        id text COLLATE "C" NOT NULL CONSTRAINT job_runners_pkey PRIMARY KEY,
        seen_at timestamptz NOT NULL
      )
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE job_runners');
  }
}
