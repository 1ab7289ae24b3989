import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';

const HEARTBEAT_MS = 5_000;
/** A process without a heartbeat for as long has died or cannot reach the database. */
const DEAD_AFTER_SECONDS = 20;
/** Longer than any job takes: a job locked for as long is lost, even if its process is alive. */
const LOST_AFTER_SECONDS = 300;
const DELETED_AFTER_SECONDS = 3_600;
/** Longer than a taken job waits for its handler, or a finished one for its completion. */
const IDLE_LOCK_SECONDS = 10;

/**
 * Records a heartbeat of this job worker in the database, and unlocks jobs of workers without one,
 * so that a killed process does not delay the mails that it was sending.
 */
@Injectable()
export class JobPresence {
  private timer: NodeJS.Timeout | undefined;
  /** Worker pools of this process that have ended, with what {@link begin} took of each. */
  private readonly ended = new Map<string, () => boolean>();
  private current: readonly [id: string, isIdle: () => boolean] | undefined;
  private answerLostAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly database: Database) {}

  /**
   * Starts the heartbeat.
   * @param id id of the worker pool, under which it locks jobs
   * @param isIdle whether it runs no job
   */
  begin(id: string, isIdle: () => boolean): void {
    this.end();
    if (this.current) this.ended.set(...this.current);
    this.current = [id, isIdle];
    // A failure is ignored: the next heartbeat follows.
    const beat = (): void => {
      this.beat(id, isIdle).catch(() => undefined);
    };
    this.timer = setInterval(beat, HEARTBEAT_MS);
    this.timer.unref();
    beat();
  }

  /** Stops the heartbeat. */
  end(): void {
    clearInterval(this.timer);
  }

  /**
   * Notes that the answer to a worker that asked for a job was lost. It may have named a job, which
   * is then locked by a worker that sends heartbeats and does not know it.
   */
  noteLostAnswer(): void {
    this.answerLostAt = performance.now();
  }

  private async beat(id: string, isIdle: () => boolean): Promise<void> {
    await this.database.rows(
      'INSERT INTO job_runners (id, seen_at) VALUES ($1, now()) ON CONFLICT (id) DO UPDATE SET seen_at = now()',
      [id],
    );
    await this.releaseEnded();
    await this.reclaim();
    const sinceLoss = performance.now() - this.answerLostAt;
    if (sinceLoss < LOST_AFTER_SECONDS * 1_000 && isIdle()) await this.reclaimOwn(id);
  }

  /**
   * Unlocks what the ended worker pools of this process have left: jobs that they could neither
   * complete nor fail without the database, which would wait until others take them for dead.
   */
  private async releaseEnded(): Promise<void> {
    const ids = [...this.ended].filter(([, isIdle]) => isIdle()).map(([id]) => id);
    if (ids.length === 0) return;
    await this.database.rows('SELECT graphile_worker.force_unlock_workers($1)', [ids]);
    for (const id of ids) this.ended.delete(id);
  }

  /** Unlocks the jobs that this worker pool, which runs none, has held for some time. */
  private async reclaimOwn(id: string): Promise<void> {
    await this.database.rows(
      `SELECT graphile_worker.force_unlock_workers(ARRAY[$1]) WHERE EXISTS (
         SELECT FROM graphile_worker.jobs WHERE locked_by = $1 AND locked_at < now() - make_interval(secs => $2))`,
      [id, IDLE_LOCK_SECONDS],
    );
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
