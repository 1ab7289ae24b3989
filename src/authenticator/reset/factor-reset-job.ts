import { Injectable } from '@nestjs/common';
import { CallerScopes } from '../../ability/index.js';
import { AccountService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { Lifecycle } from '../../platform/lifecycle/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { FactorResetRepository, type PendingReset } from './factor-reset.repository.js';

/** By which an operator schedules a reset. */
const SCOPE = 'platform:person:reset-authenticators';
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
    private readonly callers: CallerScopes,
  ) {}

  /**
   * Carries out a reset that is due, unless it has been cancelled. Cancels it if its operator could
   * not schedule it any more. Locks the account first.
   */
  @JobHandler({ task: RESET_FACTORS })
  async carryOut({ userId, id }: Pick<PendingReset, 'userId' | 'id'>): Promise<void> {
    await this.database.transaction(async () => {
      const locked = await this.accounts.lockForUpdate(userId);
      const ended = await this.resets.end(userId, id, true);
      if (!ended) return;
      if (!(await this.couldSchedule(ended.requestedBy))) {
        await this.notices.tell(userId, 'authenticators-reset-cancelled', null);
        return;
      }
      await this.lifecycle.emit('account.factors-reset', { userId: locked });
      await this.notices.tell(userId, 'authenticators-reset', null);
    });
  }

  /** @param operatorId null for the command line */
  private async couldSchedule(operatorId: UserId | null): Promise<boolean> {
    return operatorId === null || this.callers.holdsOnPlatform(operatorId, SCOPE);
  }
}
