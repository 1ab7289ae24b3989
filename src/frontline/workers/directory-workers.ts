import { Injectable } from '@nestjs/common';
import { AccountService, AuditTrail } from '../../iam/index.js';
import type { Locked, TenantId, UserId } from '../../kernel/index.js';
import { NUMBER_PATTERN } from '../frontline.fields.js';
import { WorkerRepository } from './worker.repository.js';
import { workerEvent } from './worker-event.js';

/** Why a person cannot have a number. */
export type NumberFault = 'number-invalid' | 'number-taken';

/** Makes workers of members whom a directory has sent without an address. */
@Injectable()
export class DirectoryWorkers {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly accounts: AccountService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Finds out why a person cannot have a number. The answer holds while the tenant is locked.
   * @param userId null for a person without an account
   */
  async findFault(tenantId: TenantId, number: string, userId: UserId | null): Promise<NumberFault | null> {
    if (!NUMBER_PATTERN.test(number)) return 'number-invalid';
    const holder = await this.workers.findHolder(tenantId, number);
    return holder === null || holder === userId ? null : 'number-taken';
  }

  findNumber(tenantId: TenantId, userId: UserId): Promise<string | null> {
    return this.workers.findNumber(tenantId, userId);
  }

  /**
   * Makes a member without an address a worker, or changes the number of a worker; a member with
   * an address who is none stays so. Joins the open transaction.
   * @param number for which {@link findFault} finds none
   */
  async giveNumber(
    tenantId: Locked<TenantId>,
    directoryId: UserId,
    userId: UserId,
    number: string,
  ): Promise<void> {
    const before = await this.workers.findNumber(tenantId, userId);
    if (before === number) return;
    if (before !== null) {
      await this.workers.update(tenantId, userId, { number });
      await this.audit.record({
        ...workerEvent(tenantId, directoryId, userId, 'updated'),
        changed: ['number'],
      });
    } else if ((await this.accounts.findForShare(userId))?.email === null) {
      await this.workers.insert(tenantId, { userId, number, until: null });
      await this.audit.record(workerEvent(tenantId, directoryId, userId, 'created'));
    }
  }
}
