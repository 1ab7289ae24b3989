import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { type LifecycleEvents, LOCK, type SessionId, type UserId } from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import { Outbox, quotedName } from '../../platform/mail/index.js';
import { LogoutService } from '../sessions/logout.service.js';
import { SessionRepository } from '../sessions/session.repository.js';
import '../session.messages.js';
import { type Trace, type TraceKind, TraceRepository } from './trace.repository.js';

const DAY_SECONDS = 86_400;
/** Names in a mail; its page has all. */
const MAX_NAMED = 10;
/** What a reset of the password leaves. */
const AFTER_RESET: readonly TraceKind[] = ['authenticator-app', 'passkey', 'personal-key'];

/**
 * Shows and ends what a session made, for a person whose session or password a thief had. A change
 * of address that waits and enrolments that have begun end with their session.
 */
@Injectable()
export class SessionTraces {
  constructor(
    private readonly traces: TraceRepository,
    private readonly sessions: SessionRepository,
    private readonly accounts: AccountService,
    private readonly logouts: LogoutService,
    private readonly lifecycle: Lifecycle,
    private readonly outbox: Outbox,
  ) {}

  /** Lists what the person's sessions made, newest first. */
  list(userId: UserId): Promise<Trace[]> {
    return this.traces.list(userId, null, null);
  }

  /**
   * Ends what a session made, and the session, unless it is that of the request.
   * @throws {AppError} not-found if it is unknown, and nothing is left of what it made
   */
  async end(userId: UserId, sessionId: SessionId, current: SessionId): Promise<void> {
    await this.accounts.underLock(userId, async ({ id }) => {
      const traces = await this.traces.list(userId, sessionId, null);
      const [session] = await this.sessions.findOwn(userId, [sessionId], false);
      if (!session && traces.length === 0) throw new AppError('not-found');
      await this.lifecycle.emit('session.traces-ended', { userId: id, sessionId });
      if (sessionId !== current) await this.logouts.endSession(userId, sessionId);
    });
  }

  /** Ends a session of the person, and mails them what it made. */
  endSession(userId: UserId, sessionId: SessionId): Promise<void> {
    return this.accounts.underLock(userId, async () => {
      if (await this.logouts.endSession(userId, sessionId))
        await this.tell(userId, await this.traces.list(userId, sessionId, null));
    });
  }

  /** Mails the person what the sessions made that the reset has ended, and what it leaves. */
  @OnLifecycle('account.password-reset', { order: LOCK.sessions })
  async tellAfterReset({ userId }: LifecycleEvents['account.password-reset']): Promise<void> {
    await this.tell(userId, await this.traces.list(userId, null, AFTER_RESET));
  }

  private async tell(userId: UserId, traces: readonly Trace[]): Promise<void> {
    const account = await this.accounts.findForShare(userId);
    if (traces.length === 0 || !account || account.email === null) return;
    await this.outbox.send(
      { email: account.email, locale: account.locale },
      {
        usefulForSeconds: DAY_SECONDS,
        budget: { kind: 'session-traces', mails: 10, periodSeconds: DAY_SECONDS },
      },
      (text) => ({
        subject: text('mail.session-traces.subject'),
        paragraphs: [
          text('mail.session-traces.left'),
          ...traces.slice(0, MAX_NAMED).map(({ kind, name, createdAt }) =>
            text(`mail.session-traces.${kind}`, {
              name: quotedName(name ?? '') ?? '',
              date: createdAt.toISOString().slice(0, 10),
            }),
          ),
          text('mail.session-traces.end'),
        ],
        action: { label: text('mail.session-traces.see'), path: '/account/sessions' },
      }),
    );
  }
}
