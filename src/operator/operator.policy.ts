import {
  AbilityPolicy,
  BY_ADMINS,
  BY_OPERATORS,
  BY_SUPPORT,
  type EntityPolicy,
  forbid,
  PolicyWithoutEntity,
  type Refusal,
  Scope,
} from '../ability/index.js';
import { ImpersonationService, type JudgedImpersonation } from '../session/index.js';
import { type Job, JobRepository } from './jobs/job.repository.js';
import './operator.messages.js';

/** Permits operators to read the audit trail of the platform. */
@AbilityPolicy({ module: 'platform', entity: 'audit', collection: 'trail', title: 'scope.platform-audit' })
@Scope('read', { ...BY_SUPPORT })
export class PlatformAuditPolicy extends PolicyWithoutEntity {}

/** Permits operators to import people of another system. */
@AbilityPolicy({ module: 'platform', entity: 'import', collection: 'imports' })
@Scope('create', { ...BY_ADMINS })
export class ImportPolicy extends PolicyWithoutEntity {}

/** Permission to ask what anyone may do, for service accounts of the platform. */
@AbilityPolicy({
  module: 'platform',
  entity: 'decision',
  collection: 'questions',
  title: 'scope.platform-decision',
})
@Scope('read', { ...BY_ADMINS })
export class OperatedDecisionPolicy extends PolicyWithoutEntity {}

/** Decides whether operators may act as people. Whom they may act as, the start decides. */
@AbilityPolicy({ module: 'platform', entity: 'impersonation', collection: 'impersonations' })
@Scope('start', { ...BY_OPERATORS })
export class ImpersonationPolicy implements EntityPolicy<JudgedImpersonation> {
  constructor(private readonly impersonations: ImpersonationService) {}

  async load(ids: readonly string[]): Promise<Map<string, JudgedImpersonation>> {
    const found = await this.impersonations.findJudged(ids);
    return new Map(found.map((impersonation) => [impersonation.id, impersonation]));
  }

  @Scope('end', { ...BY_OPERATORS })
  end({ isAlive }: JudgedImpersonation): true | Refusal {
    return isAlive || forbid('impersonation.ended');
  }
}

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
