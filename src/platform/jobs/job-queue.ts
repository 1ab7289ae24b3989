import { randomInt } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../config/index.js';
import { KeyDerivation, Sealer } from '../crypto/index.js';
import { Database } from '../database/index.js';

interface JobOptions {
  /** Delay before the first attempt. */
  readonly delaySeconds?: number;
  /**
   * Maximum of a random further delay, so that an observer cannot match job and request by time.
   */
  readonly withinSeconds?: number;
  readonly maxAttempts?: number;
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

  /** Decrypts the payload of a queued job. */
  open<T>(payload: unknown): T {
    const sealed = (payload as { sealed?: unknown } | null)?.sealed;
    return JSON.parse(typeof sealed === 'string' ? this.sealer.open(sealed) : '{}') as T;
  }
}
