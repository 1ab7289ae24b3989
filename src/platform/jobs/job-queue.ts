import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { KeyDerivation, Sealer, UnknownSeal } from '../crypto/index.js';
import { Database } from '../database/index.js';
import { JobHandler } from './job-handler.decorator.js';

interface JobOptions {
  /** Delay before the first attempt. */
  readonly delaySeconds?: number;
  /**
   * Maximum of a random further delay, so that an observer cannot match job and request by time.
   */
  readonly withinSeconds?: number;
  readonly maxAttempts?: number;
}

/** Days that a permanently failed job (after four days of retries) is kept for the operator. */
const FAILED_RETENTION_DAYS = 7;

/** Pause before another replica may take a job that this one cannot read. */
const PUT_BACK_SECONDS = 1;
/**
 * Times that a job is put back, about a minute in all. Then it fails as any other one: nothing
 * reads it, as after the loss of a root secret.
 */
const MAX_PUT_BACKS = 60;

/** What the queue stores with a job. */
interface Stored {
  readonly sealed?: unknown;
  /** Times that a replica has put the job back. */
  readonly putBack?: number;
}

/** A job as graphile-worker gives it to a task; `attempts` counts the current one. */
interface TakenJob {
  readonly task_identifier: string;
  readonly attempts: number;
  readonly max_attempts: number;
}

const RANDOM_STEPS = 2 ** 32;

/** Queues jobs in the open transaction: both commit, or neither. */
@Injectable()
export class JobQueue {
  private readonly sealer: Sealer;

  constructor(
    private readonly database: Database,
    @Inject(KeyDerivation) keys: KeyDerivation,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.sealer = new Sealer(keys, 'job-payload');
  }

  /**
   * Queues a job.
   * @param payload sealed at rest: job tables hold neither secrets nor personal data, also of
   *   failed jobs
   */
  async add(
    task: string,
    payload: object,
    { delaySeconds = 0, withinSeconds = 0, maxAttempts = 25 }: JobOptions = {},
  ): Promise<void> {
    await this.database.rows(
      `SELECT graphile_worker.add_job($1, json_build_object('sealed', $2::text), run_at := now() + make_interval(secs => $3), max_attempts := $4)`,
      [
        task,
        this.sealer.seal(JSON.stringify(payload)),
        delaySeconds + this.randomUpTo(withinSeconds),
        maxAttempts,
      ],
    );
  }

  /** @returns a random number of seconds; 0 in tests, which wait for jobs */
  private randomUpTo(seconds: number): number {
    return this.settings.NODE_ENV === 'test' ? 0 : (seconds * randomInt(RANDOM_STEPS)) / RANDOM_STEPS;
  }

  /**
   * Decrypts the payload of a job.
   * @throws {UnknownSeal} if it was sealed under an unknown root secret, or was changed
   */
  open(payload: unknown): object {
    const { sealed } = (payload ?? {}) as Stored;
    return JSON.parse(typeof sealed === 'string' ? this.sealer.open(sealed) : '{}') as object;
  }

  /**
   * Decrypts the payload of a job. A job that was sealed under the root secret of another replica,
   * while that is changed, is put back for that replica, and the attempt does not count.
   * @returns undefined if the job was put back
   * @throws {UnknownSeal} if it was put back for about a minute and no replica has read it
   */
  async openOrPutBack(payload: unknown, job: TakenJob): Promise<object | undefined> {
    const { sealed, putBack = 0 } = (payload ?? {}) as Stored;
    try {
      return this.open(payload);
    } catch (error) {
      if (!(error instanceof UnknownSeal) || putBack >= MAX_PUT_BACKS) throw error;
    }
    await this.database.rows(
      `SELECT graphile_worker.add_job($1, json_build_object('sealed', $2::text, 'putBack', $3::int),
         run_at := now() + make_interval(secs => $4), max_attempts := $5)`,
      [
        job.task_identifier,
        sealed,
        putBack + 1,
        PUT_BACK_SECONDS,
        Math.max(1, job.max_attempts - job.attempts + 1),
      ],
    );
    return undefined;
  }

  /** Deletes permanently failed jobs: their payloads, though sealed, hold personal data. */
  @JobHandler({ task: 'forget_failed_jobs', schedule: '5 * * * *' })
  async forgetFailed(): Promise<void> {
    await this.database.rows(
      `SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs
       WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < now() - make_interval(days => $1)`,
      [FAILED_RETENTION_DAYS],
    );
  }
}
