import { Injectable } from '@nestjs/common';
import { FactorResetService } from '../../authenticator/index.js';
import { AuditTrail, ErasureService, PasswordResetService, SuspensionService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { LogoutService } from '../../session/index.js';

type PendingReset = Awaited<ReturnType<FactorResetService['schedule']>>;

/**
 * Does for people what operators ask for, and records it in the trail of the operator. What it
 * changes, the trail of the person has too. The policy has locked the account and decided.
 */
@Injectable()
export class PersonActions {
  constructor(
    private readonly database: Database,
    private readonly suspensions: SuspensionService,
    private readonly logouts: LogoutService,
    private readonly passwords: PasswordResetService,
    private readonly resets: FactorResetService,
    private readonly erasures: ErasureService,
    private readonly audit: AuditTrail,
  ) {}

  suspend(callerId: UserId, id: UserId): Promise<void> {
    return this.act(callerId, id, 'suspended', () => this.suspensions.suspend(id));
  }

  restore(callerId: UserId, id: UserId): Promise<void> {
    return this.act(callerId, id, 'restored', () => this.suspensions.restore(id));
  }

  /** @returns the number of sessions that have ended */
  endSessions(callerId: UserId, id: UserId): Promise<number> {
    return this.act(callerId, id, 'sessions-ended', () => this.logouts.logoutAll({ userId: id }));
  }

  sendPasswordReset(callerId: UserId, id: UserId): Promise<void> {
    return this.act(callerId, id, 'password-reset-sent', () => this.passwords.sendFor(id));
  }

  /** Removes the password, ends all sessions and mails a link to choose a new one. */
  requireNewPassword(callerId: UserId, id: UserId): Promise<void> {
    return this.act(callerId, id, 'new-password-required', async () => {
      await this.logouts.logoutAll({ userId: id });
      await this.passwords.requireNewPassword(id);
    });
  }

  resetAuthenticators(callerId: UserId, id: UserId, reason: string): Promise<PendingReset> {
    return this.resets.schedule(callerId, id, reason);
  }

  erase(callerId: UserId, id: UserId): Promise<void> {
    return this.act(callerId, id, 'erased', () => this.erasures.erase(id));
  }

  private act<T>(callerId: UserId, id: UserId, what: string, work: () => Promise<T>): Promise<T> {
    return this.database.transaction(async () => {
      const result = await work();
      await this.audit.record({
        actorId: callerId,
        action: `person.${what}`,
        subject: `iam/accounts/${id}`,
      });
      return result;
    });
  }
}
