import { Injectable } from '@nestjs/common';
import { Database } from '../../platform/database/index.js';

/** A queued job, without its payload. */
export interface Job {
  /** Number of the queue. */
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly maxAttempts: number;
  /** Name and code of the last error; null if no attempt has failed. */
  readonly lastError: string | null;
  readonly isRunning: boolean;
  readonly createdAt: Date;
  readonly runAt: Date;
}

const JOB = `id::text, task_identifier AS task, attempts::int, max_attempts::int AS "maxAttempts", last_error AS "lastError",
  locked_at IS NOT NULL AS "isRunning", created_at AS "createdAt", run_at AS "runAt"`;

/** Queued jobs. The queue is short: finished jobs leave it. */
@Injectable()
export class JobRepository {
  constructor(private readonly database: Database) {}

  async findAll(ids: readonly string[]): Promise<Job[]> {
    return this.database.rows<Job>(`SELECT ${JOB} FROM graphile_worker.jobs WHERE id = ANY($1::bigint[])`, [
      ids,
    ]);
  }

  /** Lists jobs in order of id. @param failed those whose last attempt failed alone */
  list(failed: boolean, limit: number): Promise<Job[]> {
    return this.database.rows<Job>(
      `SELECT ${JOB} FROM graphile_worker.jobs
       WHERE NOT $1 OR last_error IS NOT NULL ORDER BY id LIMIT $2`,
      [failed, limit],
    );
  }

  /** Lets a job run at once, with all of its attempts. */
  async retry(id: string): Promise<void> {
    await this.database.rows(
      'SELECT graphile_worker.reschedule_jobs(ARRAY[$1::bigint], run_at := now(), attempts := 0)',
      [id],
    );
  }
}
