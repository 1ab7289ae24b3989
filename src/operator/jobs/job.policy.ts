import { AbilityPolicy, type EntityPolicy, forbid, type Refusal, Scope } from '../../ability/index.js';
import { OPERATING } from '../../kernel/index.js';
import '../operator.messages.js';
import { type Job, JobRepository } from './job.repository.js';

const byAdmins = { audience: 'operator', platformAccounts: true, ...OPERATING } as const;

/** Decides what operators may do with queued jobs. */
@AbilityPolicy({ module: 'platform', entity: 'job', collection: 'jobs', title: 'scope.job' })
export class JobPolicy implements EntityPolicy<Job> {
  constructor(private readonly jobs: JobRepository) {}

  async load(ids: readonly string[]): Promise<Map<string, Job>> {
    return new Map((await this.jobs.findAll(ids)).map((job) => [job.id, job]));
  }

  /** Accepts numbers of the queue. */
  isId(text: string): boolean {
    return /^[1-9]\d{0,17}$/.test(text);
  }

  @Scope('read', { title: 'scope.job.read', ...byAdmins, operators: 'support' })
  read(): true {
    return true;
  }

  @Scope('retry', { title: 'scope.job.retry', ...byAdmins })
  retry({ lastError, isRunning }: Job): true | Refusal {
    if (isRunning) return forbid('job.running');
    return lastError !== null || forbid('job.not-failed');
  }
}
