import { Injectable } from '@nestjs/common';
import { AccountService, ErasureService } from '../../iam/index.js';
import { type LifecycleEvents, LOCK, type UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { WorkerRepository } from './worker.repository.js';

const ERASE_OUT_OF_REACH = 'frontline.erase-out-of-reach';

/**
 * Erases accounts without an address after the last membership, whatever ended it: the removal as a
 * member, or the deletion of the organization. No sign-in would open them again.
 */
@Injectable()
export class WorkerErasure {
  constructor(
    private readonly database: Database,
    private readonly workers: WorkerRepository,
    private readonly accounts: AccountService,
    private readonly erasure: ErasureService,
    private readonly jobs: JobQueue,
  ) {}

  /** Queues the erasure: the lock of the account comes before those that are held here. */
  @OnLifecycle('memberships.ended', { order: LOCK.grants })
  async schedule({ userId }: LifecycleEvents['memberships.ended']): Promise<void> {
    if (await this.workers.isOutOfReach(userId)) await this.jobs.add(ERASE_OUT_OF_REACH, { userId });
  }

  @JobHandler({ task: ERASE_OUT_OF_REACH })
  async erase({ userId }: { readonly userId: UserId }): Promise<void> {
    await this.database.transaction(async () => {
      await this.accounts.lockForUpdate(userId);
      if (await this.workers.isOutOfReach(userId)) await this.erasure.erase(userId);
    });
  }
}
