import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';

const HEARTBEAT_MS = 5_000;
/** A process without a heartbeat for as long has died or cannot reach the database. */
const DEAD_AFTER_SECONDS = 20;
/** Longer than any job takes: a job locked for as long is lost, even if its process is alive. */
const LOST_AFTER_SECONDS = 300;
const DELETED_AFTER_SECONDS = 3_600;

/**
 * Records a heartbeat of this job worker in the database, and unlocks jobs of workers without one,
 * so that a killed process does not delay the mails that it was sending.
 */
@Injectable()
export class JobPresence {
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly database: Database) {}

  /**
   * Starts the heartbeat.
   * @param id id of the worker pool, under which it locks jobs
   */
  begin(id: string): void {
    this.end();
    // A failure is ignored: the next heartbeat follows.
    const beat = (): void => void this.beat(id).catch(() => undefined);
    this.timer = setInterval(beat, HEARTBEAT_MS);
    this.timer.unref();
    beat();
  }

  /** Stops the heartbeat. */
  end(): void {
    clearInterval(this.timer);
  }

  private async beat(id: string): Promise<void> {
    await this.database.rows(
      'INSERT INTO job_runners (id, seen_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
      [id],
    );
    await this.reclaim();
  }

  /** Unlocks the jobs of dead workers and lost jobs. */
  async reclaim(): Promise<void> {
    await this.database.rows(
      `SELECT graphile_worker.force_unlock_workers(array_agg(DISTINCT j.locked_by)) FROM graphile_worker.jobs j
       LEFT JOIN job_runners r ON r.id = j.locked_by AND r.seen_at > now() - make_interval(secs => $1)
       WHERE j.locked_at < now() - make_interval(secs => CASE WHEN r.id IS NULL THEN $1 ELSE $2 END) HAVING count(*) > 0`,
      [DEAD_AFTER_SECONDS, LOST_AFTER_SECONDS],
    );
    await this.database.rows('DELETE FROM job_runners WHERE seen_at < now() - make_interval(secs => $1)', [
      DELETED_AFTER_SECONDS,
    ]);
  }
}
