import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { UserId } from '../../../kernel/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccountRepository } from '../account.repository.js';

/** Stops people and lets them in again. What they have stays as it is: password, identities, memberships and roles. */
@Injectable()
export class SuspensionService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Ends all that the person has begun. Whatever lets somebody in holds the account and asks whether it is active, so that nothing begins after this.
   * @throws {AppError} not-found when the account is gone
   */
  async suspend(id: UserId): Promise<void> {
    await this.database.transaction(async () => {
      await this.lockForUpdate(id);
      const stopped = await this.accounts.suspend(id);
      await this.lifecycle.emit('account.suspended', { userId: id });
      if (stopped) await this.audit.recordForAccount(id, 'suspended');
    });
  }

  /** @throws {AppError} not-found when the account is gone */
  async restore(id: UserId): Promise<void> {
    await this.database.transaction(async () => {
      await this.lockForUpdate(id);
      if (await this.accounts.restore(id)) await this.audit.recordForAccount(id, 'restored');
    });
  }

  private async lockForUpdate(id: UserId): Promise<void> {
    if (!(await this.accounts.findForUpdate(id))) throw new AppError('not-found');
  }
}
