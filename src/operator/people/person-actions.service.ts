import { Inject, Injectable } from '@nestjs/common';
import { FactorResetService } from '../../authenticator/index.js';
import {
  type AccountExport,
  ErasureService,
  ExportService,
  PasswordResetService,
  SuspensionService,
} from '../../iam/index.js';
import type { SessionId, UserId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { AppError } from '../../platform/errors/index.js';
import { RecipientMails } from '../../platform/mail/index.js';
import { LogoutService } from '../../session/index.js';
import type { ErasureRequestEntity } from './erasure-request.entity.js';
import { ErasureRequestRepository } from './erasure-request.repository.js';
import { PersonRepository } from './person.repository.js';
import { PersonTrail } from './person-trail.js';

const NOT_RESENT = {
  unavailable: 'mail.not-resendable',
  void: 'mail.link-void',
  limited: 'mail.resent-enough',
} as const;

/** Newest mails of which one is sent again. */
const MAX_MAILS = 10;

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
    private readonly erasures: ErasureService,
    private readonly exports: ExportService,
    private readonly requests: ErasureRequestRepository,
    private readonly people: PersonRepository,
    private readonly mails: RecipientMails,
    private readonly trail: PersonTrail,
    @Inject(SETTINGS) private readonly settings: Settings,
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

  /**
   * Erases an account. With `OPERATOR_FOUR_EYES` the first operator asks for it, and another one,
   * who does the same within 24 hours, erases it.
   * @returns the request that waits for a second operator; null if the account is erased
   */
  async erase(callerId: UserId, id: UserId): Promise<ErasureRequestEntity | null> {
    if (this.settings.OPERATOR_FOUR_EYES === 'on' && !(await this.requests.find(id)))
      return this.trail.act(callerId, id, 'erasure-requested', () => this.requests.insert(id, callerId));
    await this.trail.act(callerId, id, 'erased', () => this.erasures.erase(id));
    return null;
  }

  /** Withdraws the request to erase an account, of whichever operator. */
  keep(callerId: UserId, id: UserId): Promise<void> {
    return this.trail.act(callerId, id, 'erasure-withdrawn', () => this.requests.remove({ userId: id }));
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
    if (email === null) return false;
    const mail = (await this.mails.list(email, MAX_MAILS)).find(({ canResend }) => canResend);
    const isSent = mail !== undefined && (await this.mails.resend(mail.id, email)) === 'sent';
    if (isSent) await this.trail.record(callerId, id, 'mail-resent');
    return isSent;
  }
}
