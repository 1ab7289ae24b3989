import { Injectable } from '@nestjs/common';
import { EmailChangeService, PasswordResetService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { type MailRecord, RecipientMails } from '../../platform/mail/index.js';
import { PersonRepository } from './person.repository.js';
import { PersonTrail } from './person-trail.js';

const NOT_RESENT = {
  unavailable: 'mail.not-resendable',
  void: 'mail.link-void',
  limited: 'mail.resent-enough',
} as const;

/** Newest mails of which one is sent again. */
const MAX_MAILS = 10;

/** What a mailed link to a person would do. */
export interface PendingLinks {
  /** Until when a mailed link to set a password is valid; null without one. */
  readonly passwordResetExpiresAt: Date | null;
  /** Change of address that waits for its confirmation. */
  readonly emailChange: Awaited<ReturnType<EmailChangeService['findPending']>>;
}

/**
 * Sends mails to a person again, and cancels what their links would do, for operators; records it
 * in the trail of the operator. The policy has locked the account and decided.
 */
@Injectable()
export class PersonLinks {
  constructor(
    private readonly people: PersonRepository,
    private readonly mails: RecipientMails,
    private readonly resets: PasswordResetService,
    private readonly changes: EmailChangeService,
    private readonly trail: PersonTrail,
  ) {}

  /** @param email address of the person; null for a person without one */
  async listMails(email: string | null, limit: number): Promise<readonly MailRecord[]> {
    return email === null ? [] : this.mails.list(email, limit);
  }

  async findPending(id: UserId): Promise<PendingLinks> {
    const [passwordResetExpiresAt, emailChange] = await Promise.all([
      this.resets.findExpiry(id),
      this.changes.findPending(id),
    ]);
    return { passwordResetExpiresAt, emailChange };
  }

  /**
   * Sends a mail to the person again, to the same address.
   * @throws {AppError} not-found for a mail to another address; conflict if it waits, has expired,
   *   was withdrawn, its link has no effect any more, or too many of its kind went out
   */
  resendMail(callerId: UserId, id: UserId, mailId: string): Promise<void> {
    return this.trail.act(callerId, id, 'mail-resent', async () => {
      const person = await this.people.find(id);
      const outcome = person?.email == null ? 'unknown' : await this.mails.resend(mailId, person.email);
      if (outcome === 'unknown') throw new AppError('not-found');
      if (outcome !== 'sent') throw new AppError('conflict', { reason: { id: NOT_RESENT[outcome] } });
    });
  }

  /**
   * Sends the newest mail again that can be, in the open transaction.
   * @returns whether there was one
   */
  async resendNewestMail(callerId: UserId, id: UserId): Promise<boolean> {
    const email = (await this.people.find(id))?.email ?? null;
    const mail = (await this.listMails(email, MAX_MAILS)).find(({ canResend }) => canResend);
    if (email === null || !mail || (await this.mails.resend(mail.id, email)) !== 'sent') return false;
    await this.trail.record(callerId, id, 'mail-resent');
    return true;
  }

  /** @throws {AppError} not-found if no link to set a password is valid */
  cancelPasswordReset(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'password-reset-cancelled', () => this.resets.cancel(id));
  }

  /** @throws {AppError} not-found if no change of the address waits */
  cancelEmailChange(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'email-change-cancelled', () => this.changes.cancelPending(id));
  }
}
