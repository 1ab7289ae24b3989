import {
  AbilityPolicy,
  BY_ADMINS,
  BY_SUPPORT,
  type EntityPolicy,
  forbid,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import '../operator.messages.js';
import { type Job, JobRepository } from './job.repository.js';

/** Decides what operators may do with queued jobs. */
@AbilityPolicy({ module: 'platform', entity: 'job', collection: 'jobs' })
@Scope('read', { ...BY_SUPPORT })
export class JobPolicy implements EntityPolicy<Job> {
  constructor(private readonly jobs: JobRepository) {}

  async load(ids: readonly string[]): Promise<Map<string, Job>> {
    return new Map((await this.jobs.findAll(ids)).map((job) => [job.id, job]));
  }

  /** Accepts numbers of the queue. */
  isId(text: string): boolean {
    return /^[1-9]\d{0,17}$/.test(text);
  }

  @Scope('retry', { ...BY_ADMINS })
  retry({ lastError, isRunning }: Job): true | Refusal {
    if (isRunning) return forbid('job.running');
    return lastError !== null || forbid('job.not-failed');
  }
}
