import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  Injectable,
  Logger as NestLogger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { Runner, TaskList, WorkerEvents } from 'graphile-worker';
import { type ClientBase, Pool } from 'pg';
import { ImpatientClient, MAX_CONNECTION_AGE_SECONDS, Primary } from '../database/index.js';
import { describeCause } from '../errors/index.js';
import { MarkedMethods } from '../discovery/index.js';
import { Processes } from '../processes/index.js';
import { JobMetrics } from './job-metrics.js';
import { JobHandler, type JobHandlerOptions } from './job-handler.decorator.js';
import { JobPresence } from './job-presence.js';
import { JobQueue } from './job-queue.js';

type Handler = (payload: unknown, signal: AbortSignal) => Promise<void>;

interface Handlers {
  readonly taskList: TaskList;
  readonly crontab: string;
}

/** Concurrent jobs; jobs that send mail mostly wait. */
const CONCURRENCY = 4;
/** Delay before the library is loaded, which takes 50 ms, so that the first requests go first. */
const START_DELAY_MS = 100;
/**
 * Time for a running job to finish at shutdown, longer than most mail servers take; then its signal
 * aborts.
 */
const STOP_GRACE_MS = 3_000;
/**
 * Interval at which delayed jobs are polled: half of the library's default, as users wait for the
 * mails that they send.
 */
const POLL_INTERVAL_MS = 1_000;
/** Delay before a new runner after one that lost the database. */
const RESTART_DELAY_MS = 1_000;
/** A function of this file keeps no job worker in memory. */
const doNothing = (): void => undefined;
/** Log of the library. */
const writeNothing = () => doNothing;

/**
 * Runs queued jobs in one process of each replica (graphile-worker). Handlers are found by
 * decorator; failed jobs are retried with exponential backoff. Requests do not depend on it: they
 * queue jobs in the database.
 */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new NestLogger('Jobs');
  private readonly stopping = new AbortController();
  private pool: Pool;
  private runner: Runner | undefined;
  private running: Promise<void> | undefined;

  constructor(
    private readonly queue: JobQueue,
    private readonly primary: Primary,
    private readonly marked: MarkedMethods,
    private readonly presence: JobPresence,
    private readonly metrics: JobMetrics,
    private readonly processes: Processes,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.processes.runsJobs) return;
    this.pool = new Pool({
      connectionString: this.primary.address,
      max: CONCURRENCY + 2,
      application_name: 'gatehouse-jobs',
      connectionTimeoutMillis: 5_000,
      query_timeout: 3_000,
      maxLifetimeSeconds: MAX_CONNECTION_AGE_SECONDS,
      Client: this.primary.following(ImpatientClient),
      // The pool awaits it, which its type does not say.
      onConnect: ((client: ClientBase) => this.primary.admit(client)) as (client: ClientBase) => void,
    });
    const lost = (): void => this.logger.warn('A database connection of the job worker was lost.');
    this.pool.on('error', lost);
    this.pool.on('connect', (client) => client.on('error', lost));
    this.running = this.supervise(this.handlers());
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.runner?.stop().catch(() => undefined);
    await this.running;
    this.presence.end();
    await this.pool?.end();
    // Its connections close later, and the error of one without a listener ends the process.
    this.pool?.removeAllListeners().on('error', doNothing);
  }

  /**
   * Keeps a runner running until shutdown. A runner stops if it cannot reach the database or look
   * up its tasks at start, or can neither complete nor fail a job; then a new one is started.
   */
  private async supervise(handlers: Handlers): Promise<void> {
    const { signal } = this.stopping;
    for (let pause = START_DELAY_MS; !signal.aborted; pause = RESTART_DELAY_MS) {
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.runner = await this.start(handlers).catch((error: unknown) => this.logNotStarted(error));
      if (signal.aborted) break;
      if (!this.runner) continue;
      await this.runner.promise.catch(() => undefined);
      if (!signal.aborted) this.logger.warn('The job worker lost the database and is restarted.');
    }
    await this.runner?.stop().catch(() => undefined);
  }

  private logNotStarted(error: unknown): undefined {
    this.logger.warn(
      { cause: describeCause(error) },
      'The job worker is not running and will be started again; until then no job runs.',
    );
  }

  private async start({ taskList, crontab }: Handlers): Promise<Runner> {
    const { Logger, run } = await import('graphile-worker');
    const events: WorkerEvents = new EventEmitter();
    const running = new Set<string>();
    events.on('pool:create', ({ workerPool }) =>
      this.presence.begin(workerPool.id, () => running.size === 0),
    );
    let lastFailure: unknown;
    events.on('worker:getJob:error', ({ error }) => {
      this.presence.noteLostAnswer();
      // The library keeps a failed look-up of its tasks, and answers each later poll with it.
      if (error === lastFailure)
        setImmediate(() => {
          this.runner?.stop().catch(doNothing);
        });
      lastFailure = error;
    });
    events.on('job:start', ({ job }) => running.add(job.id));
    events.on('job:complete', ({ job }) => running.delete(job.id));
    events.on('job:error', ({ job }) =>
      this.logger.warn({ task: job.task_identifier, attempt: job.attempts }, 'job failed'),
    );
    events.on('job:failed', ({ job }) => {
      this.metrics.countFailure();
      this.logger.error({ task: job.task_identifier, job: job.id }, 'job failed permanently');
    });
    const tasks = { ...taskList };
    const runner = await run({
      events,
      pgPool: this.pool,
      taskList: tasks,
      crontab,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      // Without batches, even of 0 ms, the library leaves a failed completion as an unhandled
      // rejection, which ends the process.
      preset: {
        worker: {
          completeJobBatchDelay: 0,
          failJobBatchDelay: 0,
          gracefulShutdownAbortTimeout: STOP_GRACE_MS,
          pollInterval: POLL_INTERVAL_MS,
        },
      },
      // The library logs payloads and causes, which hold personal data; the events above log the
      // task only.
      logger: new Logger(writeNothing),
    });
    // The library keeps the options of each runner until the process ends: nothing stays in them.
    const forget = (): void => {
      events.removeAllListeners();
      for (const task of Object.keys(tasks)) Reflect.deleteProperty(tasks, task);
    };
    runner.promise.then(forget, forget);
    return runner;
  }

  private handlers(): Handlers {
    const taskList: TaskList = {};
    const cron: string[] = [];
    for (const { mark, method } of this.marked.find<JobHandlerOptions, Handler>(JobHandler)) {
      taskList[mark.task] = (stored, { abortSignal, job }) =>
        this.run(mark.task, async () => {
          const payload = await this.queue.openOrPutBack(stored, job);
          if (payload === undefined) return;
          await this.metrics.time(mark.task, () => method(payload, abortSignal));
        });
      if (mark.schedule !== undefined) cron.push(`${mark.schedule} ${mark.task}`);
    }
    this.metrics.declare(Object.keys(taskList));
    return { taskList, crontab: cron.join('\n') };
  }

  /**
   * Runs a handler and replaces its error by one with name and code only: graphile-worker stores
   * the message with the job, and a message may hold an email address.
   */
  private async run(task: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const code = (error as { code?: unknown } | null)?.code;
      throw new Error(
        `${task} failed: ${error instanceof Error ? error.name : typeof error}${typeof code === 'string' ? ` ${code}` : ''}`,
      );
    }
  }
}
