import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { type Count, Metrics, type Timing, Tracing } from '../observability/index.js';

/** Ends of an attempt; a job that was given up is not retried. */
export const JOB_OUTCOMES = ['done', 'failed', 'given-up'] as const;
type Outcome = 'done' | 'failed';

interface Backlog {
  readonly waiting: number;
  readonly seconds: number;
}

/** Limit of the count: the exact number beyond it is of no use. */
const MAX_COUNTED_JOBS = 10_000;

/** Metrics of the job queue: waiting jobs, their age, and durations of jobs. */
@Injectable()
export class JobMetrics {
  private readonly failures: Count;
  private listener: (outcome: (typeof JOB_OUTCOMES)[number]) => void = () => undefined;
  private reading: Promise<Backlog> | undefined;
  private durations: Timing<{ task: readonly string[]; outcome: readonly Outcome[] }>;

  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
    private readonly tracing: Tracing,
  ) {
    metrics.gauge(
      'gatehouse_jobs_waiting',
      `Jobs that are due and not yet started, up to ${MAX_COUNTED_JOBS}.`,
      async () => (await this.backlog()).waiting,
    );
    metrics.gauge(
      'gatehouse_jobs_oldest_waiting_seconds',
      'Seconds for which the oldest of them has been due.',
      async () => (await this.backlog()).seconds,
    );
    this.failures = metrics.counter({
      name: 'gatehouse_jobs_given_up_total',
      help: 'Jobs that failed permanently.',
      labels: {},
    });
  }

  /** Calls a listener with the end of each attempt, and of each job that is given up. */
  listen(listener: (outcome: (typeof JOB_OUTCOMES)[number]) => void): void {
    this.listener = listener;
  }

  /** Registers the durations. Call it once, with the names of all tasks. */
  declare(task: readonly string[]): void {
    this.durations = this.metrics.timing({
      name: 'gatehouse_job_duration_seconds',
      help: 'Duration of jobs, by task and outcome; failed jobs are retried.',
      labels: { task, outcome: ['done', 'failed'] },
    });
  }

  /** Runs a job in a span, and records its duration and outcome. */
  async time(task: string, work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    let outcome: Outcome = 'failed';
    try {
      await this.tracing.span(`job ${task}`, {}, work);
      outcome = 'done';
    } finally {
      this.durations.observe({ task, outcome }, (performance.now() - started) / 1000);
      this.listener(outcome);
    }
  }

  /** Counts a job that failed permanently. */
  countFailure(): void {
    this.failures.inc({});
    this.listener('given-up');
  }

  /** Reads the backlog; both gauges are read together and share one statement. */
  private backlog(): Promise<Backlog> {
    return (this.reading ??= this.readBacklog().finally(() => (this.reading = undefined)));
  }

  private async readBacklog(): Promise<Backlog> {
    const row = await this.database.row<Backlog>(
      `SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(run_at)), 0)::float8 AS seconds
       FROM (SELECT run_at FROM graphile_worker.jobs
             WHERE locked_at IS NULL AND run_at <= now() AND attempts < max_attempts ORDER BY run_at LIMIT $1) AS due`,
      [MAX_COUNTED_JOBS],
    );
    return row ?? { waiting: 0, seconds: 0 };
  }
}
