import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import type { Locked, PersonPrincipal, SessionId } from '../../kernel/index.js';
import { SessionRepository } from './session.repository.js';

/** Locks sessions with their accounts. */
@Injectable()
export class SessionLock {
  constructor(
    private readonly accounts: AccountService,
    private readonly sessions: SessionRepository,
  ) {}

  /**
   * Locks the account and the session, so that neither ends before the open transaction does.
   * @returns null if the session has ended
   * @throws {AppError} unauthenticated if the account does not exist
   */
  async lockForShare({
    userId,
    sessionId,
  }: Pick<PersonPrincipal, 'userId' | 'sessionId'>): Promise<Locked<SessionId> | null> {
    await this.accounts.requireForShare(userId); // a suspended account has no session that is alive
    return this.sessions.lockAliveForShare(sessionId);
  }
}
