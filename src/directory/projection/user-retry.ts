import { Injectable, Logger } from '@nestjs/common';
import { isUlid } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import type { DirectoryScope } from '../records/record-lists.js';
import { UserRecords } from '../records/user-records.js';
import { ScimError } from '../scim/scim-error.js';
import { UserSync } from './user-sync.js';

const TASK = 'directory.retry-user';

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
    private readonly users: UserRecords,
    private readonly sync: UserSync,
    private readonly jobs: JobQueue,
  ) {}

  /** @throws {AppError} not-found */
  async queue(scope: DirectoryScope, id: string): Promise<void> {
    if (!isUlid(id) || !(await this.users.find(scope, id))) throw new AppError('not-found');
    await this.jobs.add(TASK, { ...scope, id } satisfies Retry);
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
