import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { Locked, UserId } from '../../../kernel/index.js';
import { Lifecycle } from '../../../platform/lifecycle/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { OperatorDirectory } from '../../operators/operator-directory.js';
import { AccountRepository } from '../account.repository.js';

/** Suspends and restores accounts. Password, identities, memberships and roles stay as they are. */
@Injectable()
export class SuspensionService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly operators: OperatorDirectory,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Suspends an account and ends its sessions. Each operation that starts a session locks the
   * account and requires it to be active, so that none starts after this.
   * @throws {AppError} not-found if the account is erased; conflict for an operator, of whom there
   *   may be no other who could lift it
   */
  async suspend(id: UserId): Promise<void> {
    await this.database.transaction(async () => {
      const locked = await this.lockForUpdate(id);
      if ((await this.operators.findRights(id, true)) !== null)
        throw new AppError('conflict', { detail: 'This person is an operator. Remove the operator first.' });
      const stopped = await this.accounts.suspend(id);
      await this.lifecycle.emit('account.suspended', { userId: locked });
      if (stopped) await this.audit.recordForAccount(id, 'suspended');
    });
  }

  /**
   * Ends the suspension of an account.
   * @throws {AppError} not-found if the account is erased
   */
  async restore(id: UserId): Promise<void> {
    await this.database.transaction(async () => {
      await this.lockForUpdate(id);
      if (await this.accounts.restore(id)) await this.audit.recordForAccount(id, 'restored');
    });
  }

  private async lockForUpdate(id: UserId): Promise<Locked<UserId>> {
    const account = (await this.accounts.findForUpdate(id)) ?? AppError.notFound();
    return account.id;
  }
}
