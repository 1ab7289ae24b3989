import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Queues the fetch of logos of clients that were registered before this service kept copies. The
 * job has no payload, which jobs would have to be sealed for.
 */
export class FetchEarlierClientLogos1795801000100 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const clients = (await runner.query(
      `SELECT 1 FROM satellites WHERE logo_uri IS NOT NULL AND logo_hash IS NULL
         AND to_regclass('graphile_worker.jobs') IS NOT NULL LIMIT 1`,
    )) as unknown[];
    if (clients.length > 0)
      await runner.query("SELECT graphile_worker.add_job('fetch_earlier_client_logos')");
  }

  async down(runner: QueryRunner): Promise<void> {
    // A job that no replica of the earlier release knows stays until it is removed.
    await runner.query(
      `DO $$ BEGIN
         IF to_regclass('graphile_worker.jobs') IS NOT NULL THEN
           PERFORM graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
           WHERE task_identifier = 'fetch_earlier_client_logos';
         END IF;
       END $$`,
    );
  }
}
