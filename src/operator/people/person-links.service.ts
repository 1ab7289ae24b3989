import { Injectable } from '@nestjs/common';
import { EmailChangeService, PasswordResetService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { PersonTrail } from './person-trail.js';

/**
 * Cancels what a mailed link to a person would do, for operators, and records it in the trail of
 * the operator. The policy has locked the account and decided.
 */
@Injectable()
export class PersonLinks {
  constructor(
    private readonly resets: PasswordResetService,
    private readonly changes: EmailChangeService,
    private readonly trail: PersonTrail,
  ) {}

  /** @throws {AppError} not-found if no link to set a password is valid */
  cancelPasswordReset(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'password-reset-cancelled', () => this.resets.cancel(id));
  }

  /** @throws {AppError} not-found if no change of the address waits */
  cancelEmailChange(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'email-change-cancelled', () => this.changes.cancelPending(id));
  }
}
