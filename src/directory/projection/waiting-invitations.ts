import { Injectable } from '@nestjs/common';
import { TenantLimitsService } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { UserRecordRepository } from '../records/user-record.repository.js';
import { UserRetry } from './user-retry.js';

/** Organizations of one run; the next run goes on after them. */
const MAX_TENANTS = 200;
/** Records of an organization in one run: the day has 144 of them. */
const MAX_RECORDS = 100;
/** Maximum duration of a run, before the job counts as lost. */
const MAX_RUN_MS = 180_000;

/**
 * Sends invitations of records that wait because a budget was used up, or too many invitations are
 * open. Directories do not send a record again that they have sent.
 */
@Injectable()
export class WaitingInvitations {
  private after = '';

  constructor(
    private readonly database: Database,
    private readonly limits: TenantLimitsService,
    private readonly users: UserRecordRepository,
    private readonly retries: UserRetry,
  ) {}

  @JobHandler({ task: 'send_waiting_invitations', schedule: '*/10 * * * *' })
  async send(): Promise<void> {
    const end = performance.now() + MAX_RUN_MS;
    const tenantIds = await this.users.listTenantsWaiting(this.after, MAX_TENANTS);
    for (const tenantId of tenantIds) {
      if (performance.now() > end) return;
      await this.sendOf(tenantId);
      this.after = tenantId;
    }
    if (tenantIds.length < MAX_TENANTS) this.after = '';
  }

  private async sendOf(tenantId: TenantId): Promise<void> {
    const left = await this.database.transaction(() => this.limits.countLeft(tenantId));
    if (left === 0) return;
    const waiting = await this.users.listWaiting(tenantId, Math.min(left, MAX_RECORDS));
    for (const record of waiting) await this.retries.retry(record);
  }
}
