import { Injectable } from '@nestjs/common';
import { AuditTrail, EmailChangeService, PasswordResetService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/**
 * Cancels what a mailed link to a person would do, for operators, and records it in the trail of
 * the operator. The policy has locked the account and decided.
 */
@Injectable()
export class PersonLinks {
  constructor(
    private readonly database: Database,
    private readonly resets: PasswordResetService,
    private readonly changes: EmailChangeService,
    private readonly audit: AuditTrail,
  ) {}

  /** @throws {AppError} not-found if no link to set a password is valid */
  cancelPasswordReset(callerId: UserId, id: UserId): Promise<void> {
    return this.act(callerId, id, 'password-reset-cancelled', () => this.resets.cancel(id));
  }

  /** @throws {AppError} not-found if no change of the address waits */
  cancelEmailChange(callerId: UserId, id: UserId): Promise<void> {
    return this.act(callerId, id, 'email-change-cancelled', () => this.changes.cancelPending(id));
  }

  private act(callerId: UserId, id: UserId, what: string, work: () => Promise<void>): Promise<void> {
    return this.database.transaction(async () => {
      await work();
      await this.audit.record({
        actorId: callerId,
        action: `person.${what}`,
        subject: `iam/accounts/${id}`,
      });
    });
  }
}
