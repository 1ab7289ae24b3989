import { Injectable } from '@nestjs/common';
import { Database } from '../database/index.js';
import { type Count, Metrics, type Timing } from '../observability/index.js';

type Outcome = 'done' | 'failed';

interface Backlog {
  readonly waiting: number;
  readonly seconds: number;
}

/** Beyond it the exact number says nothing more. */
const COUNTED = 10_000;

/** What waits for the worker, for how long, and how long the work takes. */
@Injectable()
export class JobMetrics {
  private readonly failures: Count;
  private asking: Promise<Backlog> | undefined;
  private durations: Timing<{ task: readonly string[]; outcome: readonly Outcome[] }>;

  constructor(
    private readonly metrics: Metrics,
    private readonly database: Database,
  ) {
    metrics.gauge(
      'gatehouse_jobs_waiting',
      `Jobs whose time has come and that nobody has taken yet, up to ${COUNTED}.`,
      async () => (await this.backlog()).waiting,
    );
    metrics.gauge(
      'gatehouse_jobs_oldest_waiting_seconds',
      'How long ago the time of the oldest of them came.',
      async () => (await this.backlog()).seconds,
    );
    this.failures = metrics.counter({
      name: 'gatehouse_jobs_given_up_total',
      help: 'Jobs that failed for good.',
      labels: {},
    });
  }

  /** To be called once, with the names of all tasks. */
  declare(task: readonly string[]): void {
    this.durations = this.metrics.timing({
      name: 'gatehouse_job_duration_seconds',
      help: 'How long jobs took, by task and outcome; what failed is tried again.',
      labels: { task, outcome: ['done', 'failed'] },
    });
  }

  /** Does the work and notes how long it took. */
  async time(task: string, work: () => Promise<void>): Promise<void> {
    const started = performance.now();
    let outcome: Outcome = 'failed';
    try {
      await work();
      outcome = 'done';
    } finally {
      this.durations.observe({ task, outcome }, (performance.now() - started) / 1000);
    }
  }

  gaveUp(): void {
    this.failures.inc({});
  }

  /** Both gauges are read at once, and ask once. */
  private backlog(): Promise<Backlog> {
    return (this.asking ??= this.ask().finally(() => (this.asking = undefined)));
  }

  private async ask(): Promise<Backlog> {
    const row = await this.database.row<Backlog>(
      `SELECT count(*)::int AS waiting, coalesce(extract(epoch FROM now() - min(run_at)), 0)::float8 AS seconds
       FROM (SELECT run_at FROM graphile_worker.jobs
             WHERE locked_at IS NULL AND run_at <= now() AND attempts < max_attempts ORDER BY run_at LIMIT $1) AS due`,
      [COUNTED],
    );
    return row ?? { waiting: 0, seconds: 0 };
  }
}
