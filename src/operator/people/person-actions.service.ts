import { Injectable } from '@nestjs/common';
import { FactorResetService } from '../../authenticator/index.js';
import {
  type AccountExport,
  ExportService,
  PasswordResetService,
  SuspensionService,
} from '../../iam/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { LogoutService } from '../../session/index.js';
import { PersonTrail } from './person-trail.js';

type PendingReset = Awaited<ReturnType<FactorResetService['schedule']>>;

/**
 * Does for people what operators ask for, and records it in the trail of the operator. What it
 * changes, the trail of the person has too. The policy has locked the account and decided.
 */
@Injectable()
export class PersonActions {
  constructor(
    private readonly suspensions: SuspensionService,
    private readonly logouts: LogoutService,
    private readonly passwords: PasswordResetService,
    private readonly resets: FactorResetService,
    private readonly exports: ExportService,
    private readonly trail: PersonTrail,
  ) {}

  suspend(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'suspended', () => this.suspensions.suspend(id));
  }

  restore(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'restored', () => this.suspensions.restore(id));
  }

  /** @returns the number of sessions that have ended */
  endSessions(callerId: UserId, id: UserId): Promise<number> {
    return this.trail.act(callerId, id, 'sessions-ended', () => this.logouts.logoutAll({ userId: id }));
  }

  /** @throws {AppError} not-found if the session has ended, or is of another account */
  endSession(callerId: UserId, id: UserId, sessionId: SessionId): Promise<void> {
    return this.trail.act(callerId, id, 'session-ended', async () => {
      if (!(await this.logouts.endSession(id, sessionId))) throw new AppError('not-found');
    });
  }

  sendPasswordReset(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'password-reset-sent', () => this.passwords.sendFor(id));
  }

  /** Removes the password, ends all sessions and mails a link to choose a new one. */
  requireNewPassword(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'new-password-required', async () => {
      await this.logouts.logoutAll({ userId: id });
      await this.passwords.requireNewPassword(id);
    });
  }

  resetAuthenticators(callerId: UserId, id: UserId, reason: string): Promise<PendingReset> {
    return this.resets.schedule(callerId, id, reason);
  }

  /** Cancels the reset of second factors that waits. */
  keepAuthenticators(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'authenticator-reset-cancelled', () => this.resets.cancel(id));
  }

  /** Starts an export, which the person alone can read. */
  export(callerId: UserId, id: UserId): Promise<AccountExport> {
    return this.trail.act(callerId, id, 'export-started', () => this.exports.requestByOperator(id));
  }
}
