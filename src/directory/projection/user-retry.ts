import { Injectable, Logger } from '@nestjs/common';
import { isUlid } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { UserRecordRepository } from '../records/user-record.repository.js';
import { ScimError } from '../scim/scim-error.js';
import { UserSync } from './user-sync.js';

const TASK = 'directory.retry-user';
const WITHOUT_ADDRESS = 'directory.retry-without-address';
/** Records of one run of the job, which queues the next run. */
const MAX_RECORDS = 100;

interface Retry extends DirectoryScope {
  readonly id: string;
}

/**
 * Derives memberships again, by a job: an account is locked before the tenant, which the command
 * has locked already.
 */
@Injectable()
export class UserRetry {
  private readonly logger = new Logger('Directory');

  constructor(
    private readonly users: UserRecordRepository,
    private readonly sync: UserSync,
    private readonly jobs: JobQueue,
  ) {}

  /** @throws {AppError} not-found */
  async queue(scope: DirectoryScope, id: string): Promise<void> {
    if (!isUlid(id) || !(await this.users.find(scope, id))) throw new AppError('not-found');
    await this.jobs.add(TASK, { ...scope, id } satisfies Retry);
  }

  /** Queues the records that wait for an address. */
  async queueWithoutAddress(scope: DirectoryScope, after = ''): Promise<void> {
    await this.jobs.add(WITHOUT_ADDRESS, { ...scope, id: after } satisfies Retry);
  }

  @JobHandler({ task: WITHOUT_ADDRESS })
  async retryWithoutAddress({ id: after, ...scope }: Retry): Promise<void> {
    const ids = await this.users.listWithoutAddress(scope, after, MAX_RECORDS);
    for (const id of ids) await this.retry({ ...scope, id });
    const last = ids.at(-1);
    if (last !== undefined) await this.queueWithoutAddress(scope, last);
  }

  @JobHandler({ task: TASK })
  async retry({ id, ...scope }: Retry): Promise<void> {
    try {
      await this.sync.retry(scope, id);
    } catch (error) {
      if (!(error instanceof ScimError)) throw error;
      this.logger.warn({ message: 'A retry was refused.', status: error.status, scimType: error.scimType });
    }
  }
}
