import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../../../platform/cleanup/index.js';
import { Database, turnEnd } from '../../../../platform/database/index.js';
import { TenantLock } from '../tenant-lock.js';
import { TenantDeletionRepository } from './tenant-deletion.repository.js';
import { TenantRemoval } from './tenant-removal.js';

/** Organizations of one run. */
const MAX_DUE = 100;

/**
 * Deletes organizations that are due, in small transactions. The start is a separate row: a
 * process that is killed leaves a started deletion, which the next run continues.
 */
@Injectable()
export class TenantDeletionCleanup {
  constructor(
    private readonly database: Database,
    private readonly deletions: TenantDeletionRepository,
    private readonly tenantLock: TenantLock,
    private readonly removal: TenantRemoval,
  ) {}

  /**
   * Deletes for one turn. An organization that fails does not stop the others.
   * @returns whether organizations are left because the time was over
   */
  @Cleanup()
  async deleteDue(): Promise<boolean> {
    const end = turnEnd();
    const failures: unknown[] = [];
    let more = false;
    for (const id of await this.deletions.listDue(MAX_DUE)) {
      more = await this.database
        .repeatUntil(end, () => this.tenantLock.underLock(id, (locked) => this.removal.removeBatch(locked)))
        .catch((error: unknown) => {
          failures.push(error);
          return false;
        });
      if (more) break;
    }
    if (failures.length > 0) throw failures[0];
    return more;
  }
}
