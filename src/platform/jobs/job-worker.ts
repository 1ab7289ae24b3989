import {
  Inject,
  Injectable,
  Logger as NestLogger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { Logger, run, type Runner, type TaskList } from 'graphile-worker';
import { Pool } from 'pg';
import { DATABASE_URL } from '../database/database-url.token.js';
import { ImpatientClient } from '../database/impatient-client.js';
import { JOB_HANDLER, type JobHandlerOptions } from './job-handler.decorator.js';
import { JobQueue } from './job-queue.js';

type Handler = (payload: unknown) => Promise<void>;

/** Jobs that run at once; mail is mostly waiting. */
const CONCURRENCY = 4;

/** Runs the queued jobs in this process (graphile-worker): found by decorator, retried with growing pauses. */
@Injectable()
export class JobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new NestLogger('Jobs');
  private runner: Runner | undefined;
  private pool: Pool | undefined;

  constructor(
    private readonly queue: JobQueue,
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(DATABASE_URL) private readonly url: string,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { taskList, crontab } = this.handlers();
    this.pool = new Pool({
      connectionString: this.url,
      max: CONCURRENCY + 2,
      application_name: 'gatehouse-jobs',
      connectionTimeoutMillis: 5_000,
      query_timeout: 3_000,
      Client: ImpatientClient,
    });
    const lost = (): void => this.logger.warn('A database connection of the job worker was lost.');
    this.pool.on('error', lost);
    this.pool.on('connect', (client) => void client.on('error', lost));
    this.runner = await run({
      pgPool: this.pool,
      taskList,
      crontab,
      concurrency: CONCURRENCY,
      noHandleSignals: true,
      // The library logs payloads and causes, which may name people; ours says which task failed and no more.
      logger: new Logger(() => () => undefined),
    });
    this.runner.events.on('job:error', ({ job }) =>
      this.logger.warn({ task: job.task_identifier, attempt: job.attempts }, 'job failed'),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.stop();
    await this.pool?.end();
  }

  private handlers(): { taskList: TaskList; crontab: string } {
    const taskList: TaskList = {};
    const cron: string[] = [];
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const methods = instance as Record<string, Handler>;
      for (const name of this.scanner.getAllMethodNames(Object.getPrototypeOf(instance) as object)) {
        const method = methods[name];
        const options =
          typeof method === 'function'
            ? (Reflect.getMetadata(JOB_HANDLER, method) as JobHandlerOptions | undefined)
            : undefined;
        if (!options || !method) continue;
        taskList[options.task] = async (payload) =>
          this.run(options.task, () => method.call(instance, this.queue.open(payload)));
        if (options.schedule !== undefined) cron.push(`${options.schedule} ${options.task}`);
      }
    }
    return { taskList, crontab: cron.join('\n') };
  }

  /** The text of an error is kept beside the job in the database, and may hold an address: only its kind goes there. */
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
