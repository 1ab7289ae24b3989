import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { AbilitySubject, RequireScopes } from '../../ability/index.js';
import { AuditTrail, OperatorsTag } from '../../iam/index.js';
import type { Principal } from '../../kernel/index.js';
import { Answers, Operation, QueryOf } from '../../platform/api/index.js';
import { Caller } from '../../platform/web/index.js';
import { JobResponse, JobsQuery, JobsResponse, MAX_JOBS } from './job.dto.js';
import { JobRepository } from './job.repository.js';

/** Queued jobs. */
@OperatorsTag()
@Controller('api/v1/operator/jobs')
export class JobsController {
  constructor(
    private readonly jobs: JobRepository,
    private readonly audit: AuditTrail,
  ) {}

  @Get()
  @RequireScopes('platform:job:read')
  @Operation('List queued jobs', 'Oldest first, at most 100. Jobs that are done leave the queue.')
  @Answers(JobsResponse)
  async listJobs(@QueryOf(JobsQuery) { state }: JobsQuery) {
    const jobs = await this.jobs.list(state === 'failed', MAX_JOBS);
    return { items: jobs.map((job) => JobResponse.from(job)) };
  }

  @Post(':jobId/retry')
  @RequireScopes('platform:job:retry')
  @AbilitySubject('jobId')
  @HttpCode(204)
  @Operation('Run a failed job at once', 'It has all of its attempts again.')
  async retryJob(@Caller() { userId }: Principal, @Param('jobId') jobId: string): Promise<void> {
    await this.jobs.retry(jobId);
    const subject = `platform/jobs/${jobId}`;
    await this.audit.record({ actorId: userId, action: 'operator.job-retried', subject });
  }
}
