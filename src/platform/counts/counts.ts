import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import type { TenantId, UserId } from '../../kernel/index.js';
import { Database } from '../database/index.js';
import { describeCause } from '../errors/index.js';
import { PLATFORM, WakingLoop } from '../events/index.js';
import { type Count, Metrics } from '../observability/index.js';
import { type Addition, CountRepository } from './count.repository.js';
import { JOB_OUTCOMES, JobMetrics } from '../jobs/index.js';

/** Interval at which counts are written: the most that a crash of the process loses. */
const FLUSH_MS = 5_000;
/** Rows that wait in memory. Further ones are dropped while the database is away. */
const MAX_PENDING = 20_000;
/** Rows of one statement. */
const BATCH = 1_000;
const HOUR_MS = 3_600_000;

/** Whom something concerns; by default the platform only. */
interface Concerned {
  readonly tenantId?: TenantId;
  /** Person whose organizations it concerns. */
  readonly person?: UserId | null;
  /** Id of the thing of the organization that it happened to. */
  readonly source?: string;
}

/** What is counted, with all values that it can have. */
export interface Counted<V extends string> {
  readonly name: string;
  /** Words of the service, so that the number of rows is bounded. */
  readonly values: readonly V[];
  /** Metric of the same counts. */
  readonly metric?: { readonly name: string; readonly help: string; readonly label: string };
}

/** Counts one kind of thing. */
export interface Tally<V extends string> {
  /** Counts for the platform and for whom it concerns; in a transaction, after its commit. */
  count(value: V, concerned?: Concerned): void;
  /** Counts what happened at a time for one organization only, or for the platform only. */
  countFor(tenantId: TenantId, value: V, at: Date): void;
}

/**
 * Counts what happens, by organization and for the platform (ADR 78). Adds up in memory, and writes
 * the sums of all requests of some seconds by one statement, so that no request waits for it.
 */
@Injectable()
export class Counts implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger('Counts');
  private pending = new Map<string, Addition>();
  private readonly loop = new WakingLoop(
    async () => {
      await this.flush();
      return FLUSH_MS;
    },
    (error) => this.logger.warn({ cause: describeCause(error) }, 'Counts wait: the database did not answer.'),
    FLUSH_MS,
  );

  constructor(
    private readonly database: Database,
    private readonly rows: CountRepository,
    private readonly metrics: Metrics,
  ) {}

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.loop.stop();
    await this.flush().catch(() => undefined);
  }

  /** Declares what is counted. Call it before the application has started. */
  tally<const V extends string>({ name, values, metric }: Counted<V>): Tally<V> {
    const series = metric && this.register(metric, values);
    const add = (value: V, { tenantId, person = null, source = '' }: Concerned, at: number): void => {
      if (tenantId !== undefined || person !== null)
        this.put({ tenantId: tenantId ?? PLATFORM, person, name, source, value }, at);
      if (tenantId === PLATFORM && source === '') series?.(value);
    };
    return {
      count: (value, concerned = {}) => {
        const at = Date.now();
        this.database.afterCommit(() => {
          add(value, { tenantId: PLATFORM }, at);
          if (concerned.tenantId !== PLATFORM || concerned.source !== undefined) add(value, concerned, at);
        });
      },
      countFor: (tenantId, value, at) =>
        this.database.afterCommit(() => add(value, { tenantId }, at.getTime())),
    };
  }

  /** Writes what waits. What could not be written waits on. */
  async flush(): Promise<void> {
    const waiting = [...this.pending.values()];
    this.pending = new Map();
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      try {
        await this.rows.add(batch);
      } catch (error) {
        for (const addition of waiting) this.merge(addition);
        throw error;
      }
      waiting.splice(0, batch.length);
    }
  }

  private put(addition: Omit<Addition, 'hour' | 'count'>, at: number): void {
    this.merge({ ...addition, hour: at - (at % HOUR_MS), count: 1 });
  }

  private merge(addition: Addition): void {
    const { tenantId, person, name, hour, source, value, count } = addition;
    const key = [tenantId, person, name, hour, source, value].join(' ');
    const before = this.pending.get(key);
    if (!before && this.pending.size >= MAX_PENDING) return;
    this.pending.set(key, before ? { ...before, count: before.count + count } : addition);
  }

  private register<V extends string>(
    { name, help, label }: { readonly name: string; readonly help: string; readonly label: string },
    values: readonly V[],
  ): (value: V) => void {
    const counter: Count<Record<string, readonly V[]>> = this.metrics.counter({
      name,
      help,
      labels: { [label]: values },
    });
    return (value) => counter.inc({ [label]: value });
  }
}

/** Counts the attempts of jobs. The queue is below the counts, which have jobs themselves. */
@Injectable()
export class JobCounts {
  constructor(counts: Counts, jobs: JobMetrics) {
    const ends = counts.tally({ name: 'job', values: JOB_OUTCOMES });
    jobs.listen((outcome) => ends.count(outcome));
  }
}
