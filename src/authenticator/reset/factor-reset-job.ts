import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { FactorResetRepository, type PendingReset } from './factor-reset.repository.js';

export const RESET_FACTORS = 'authenticator.reset-factors';

/** Carries out resets of second factors. */
@Injectable()
export class FactorResetJob {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly resets: FactorResetRepository,
    private readonly lifecycle: Lifecycle,
    private readonly notices: AuthenticatorNotices,
  ) {}

  /** Carries out a reset that is due, unless it has been cancelled. Locks the account first. */
  @JobHandler({ task: RESET_FACTORS })
  async carryOut({ userId, id }: Pick<PendingReset, 'userId' | 'id'>): Promise<void> {
    await this.database.transaction(async () => {
      const locked = await this.accounts.lockForUpdate(userId);
      if (!(await this.resets.end(userId, id, true))) return;
      await this.lifecycle.emit('account.factors-reset', { userId: locked });
      await this.notices.tell(userId, 'authenticators-reset', null);
    });
  }
}
