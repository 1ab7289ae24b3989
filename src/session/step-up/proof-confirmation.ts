import { Injectable } from '@nestjs/common';
import { OwnMethods } from '../../authenticator/index.js';
import { AuditTrail } from '../../iam/index.js';
import {
  type LifecycleEvents,
  LOCK,
  type Locked,
  type PersonPrincipal,
  type UserId,
} from '../../kernel/index.js';
import { AppError } from '../../platform/errors/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Proof } from '../evidence/evidence.js';
import { GrantRepository, type GrantView } from '../grants/grant.repository.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { sessionEvent } from '../sessions/session.service.js';

/** Adds proofs to sessions. */
@Injectable()
export class ProofConfirmation {
  constructor(
    private readonly ownMethods: OwnMethods,
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Adds and records a proof, in the open transaction.
   * @returns the grant of the caller, with it
   * @throws {AppError} unauthenticated if the session has ended
   */
  async confirm(
    userId: Locked<UserId>,
    { sessionId, grantId }: PersonPrincipal,
    proof: Proof,
  ): Promise<GrantView> {
    const wasStrong = await this.sessions.isStrong(sessionId);
    const confirmed = await this.sessions.confirm(sessionId, userId, proof);
    const grant = confirmed ? await this.grants.findAlive(grantId) : null;
    if (!grant) throw new AppError('unauthenticated');
    await this.audit.record(sessionEvent('confirmed', userId, sessionId));
    if (!wasStrong && grant.aal2Time !== null)
      await this.lifecycle.emit('session.strengthened', { userId, sessionId });
    return grant;
  }

  /** Returns whether a method that counts in the session is the person's own (ADR 49). */
  async isOwn(caller: PersonPrincipal, method: 'password' | 'email_code'): Promise<boolean> {
    return !caller.ownProofMissing || (await this.ownMethods.find(caller)).own.includes(method);
  }

  /** Adds the proof of a new authenticator app to the session in which it was confirmed. */
  @OnLifecycle('account.totp-confirmed', { order: LOCK.sessions })
  async addProof({ userId, sessionId }: LifecycleEvents['account.totp-confirmed']): Promise<void> {
    const wasStrong = await this.sessions.isStrong(sessionId);
    if (!(await this.sessions.confirm(sessionId, userId, { method: 'totp' })))
      throw new AppError('unauthenticated');
    if (!wasStrong) await this.lifecycle.emit('session.strengthened', { userId, sessionId });
  }
}
