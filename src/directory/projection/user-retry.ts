import { Injectable, Logger } from '@nestjs/common';
import { TenantLimitsService } from '../../iam/index.js';
import { isUlid } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import type { DirectoryScope } from '../records/record-rules.js';
import { UserRecordRepository } from '../records/user-record.repository.js';
import { ScimError } from '../scim/scim-error.js';
import { UserSync } from './user-sync.js';

const TASK = 'directory.retry-user';
const WITHOUT_ADDRESS = 'directory.retry-without-address';
/** Records of one run: waiting for an address, or of an organization for an invitation. */
const MAX_RECORDS = 100;
/** Organizations of one run; the next run goes on after them. */
const MAX_TENANTS = 200;
/** Maximum duration of a run, before the job counts as lost. */
const MAX_RUN_MS = 180_000;

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
  /** Last organization whose waiting invitations were sent. */
  private after = '';

  constructor(
    private readonly database: Database,
    private readonly limits: TenantLimitsService,
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

  /**
   * Sends invitations of records that wait because a budget was used up, or too many invitations
   * are open. Directories do not send a record again that they have sent.
   */
  @JobHandler({ task: 'send_waiting_invitations', schedule: '*/10 * * * *' })
  async sendWaitingInvitations(): Promise<void> {
    const end = performance.now() + MAX_RUN_MS;
    const tenantIds = await this.users.listTenantsWaiting(this.after, MAX_TENANTS);
    for (const tenantId of tenantIds) {
      if (performance.now() > end) return;
      const left = await this.database.transaction(() => this.limits.countLeft(tenantId));
      const waiting = left > 0 ? await this.users.listWaiting(tenantId, Math.min(left, MAX_RECORDS)) : [];
      for (const record of waiting) await this.retry(record);
      this.after = tenantId;
    }
    if (tenantIds.length < MAX_TENANTS) this.after = '';
  }
}
