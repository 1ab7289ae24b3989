import { Inject, Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid, type Refusal } from '../../ability/index.js';
import { LOCK, newId, type UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { createOneTimeToken, hashOneTimeToken } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { JobQueue } from '../../platform/jobs/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import { RESET_FACTORS } from './factor-reset-job.js';
import { FactorResetNotices } from './factor-reset-notices.js';
import {
  FactorResetRepository,
  type PendingReset,
  type ResettablePerson,
} from './factor-reset.repository.js';

/** Returns whether the second factors of a person can be reset. */
export function judgeReset({
  hasSecondFactor,
  isResetPending,
}: Pick<ResettablePerson, 'hasSecondFactor' | 'isResetPending'>): true | Refusal {
  if (!hasSecondFactor) return forbid('person.no-second-factor');
  return !isResetPending || forbid('person.reset-pending');
}

/**
 * Resets the second factors of people who have lost them all. Every reset waits, so that the owner
 * of the account can cancel it: a person who talks an operator into one gains nothing at once.
 */
@Injectable()
export class FactorResetService {
  constructor(
    private readonly database: Database,
    private readonly resets: FactorResetRepository,
    private readonly warnings: FactorResetNotices,
    private readonly notices: AuthenticatorNotices,
    private readonly jobs: JobQueue,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Schedules a reset and tells the person.
   * @param requestedBy operator; null for the command line
   * @param reason for the person and for other operators
   * @throws {AppError} not-found; forbidden without a second factor, or while a reset waits
   */
  schedule(requestedBy: UserId | null, userId: UserId, reason: string): Promise<PendingReset> {
    return this.database.transaction(async () => {
      await this.resets.lockForUpdate([userId]);
      const [person] = await this.resets.findPeople([userId]);
      if (!person) throw new AppError('not-found');
      const verdict = judgeReset(person);
      if (verdict !== true) throw denialError(denyByState(verdict));
      const { plainToken, tokenHash } = createOneTimeToken();
      const delay = this.settings.FACTOR_RESET_DELAY;
      const reset = await this.resets.insert({ userId, id: newId(), requestedBy, reason, tokenHash }, delay);
      await this.jobs.add(RESET_FACTORS, { userId, id: reset.id }, { delaySeconds: delay });
      await this.warnings.tell(requestedBy, { ...reset, plainToken, reason });
      return reset;
    });
  }

  findPending(userId: UserId): Promise<PendingReset | null> {
    return this.resets.findPending(userId);
  }

  /**
   * Cancels the reset of a person, who has a session or is known to the operator.
   * @throws {AppError} not-found if none waits
   */
  async cancel(userId: UserId): Promise<void> {
    await this.database.transaction(async () => {
      await this.resets.lockForUpdate([userId]);
      const reset = await this.resets.findPending(userId);
      if (!reset || !(await this.end(reset))) throw new AppError('not-found');
    });
  }

  /**
   * Cancels a reset by the token of its mail.
   * @throws {AppError} validation-error on `token`
   */
  async cancelByToken(token: string): Promise<void> {
    await this.database.transaction(async () => {
      const reset = await this.resets.findPendingByToken(hashOneTimeToken(token));
      if (!reset) throw createInvalidTokenError();
      await this.resets.lockForUpdate([reset.userId]);
      if (!(await this.end(reset))) throw createInvalidTokenError();
    });
  }

  /** Removes the resets of an erased account, with their reasons. */
  @OnLifecycle('account.erased', { order: LOCK.rows })
  async deleteAll({ userId }: { userId: UserId }): Promise<void> {
    await this.resets.deleteAllOf(userId);
  }

  private async end({ userId, id }: PendingReset): Promise<boolean> {
    if (!(await this.resets.end(userId, id, false))) return false;
    await this.notices.tell(userId, 'authenticators-reset-cancelled', null);
    return true;
  }
}

const createInvalidTokenError = (): AppError =>
  AppError.violation('token', 'is unknown, or the reset was carried out or cancelled');
