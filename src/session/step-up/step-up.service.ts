import { Injectable } from '@nestjs/common';
import {
  type CeremonyOptions,
  type FactorAnswer,
  FactorService,
  OwnMethods,
  PasskeyService,
} from '../../authenticator/index.js';
import { AccountService, AuditTrail, CredentialService } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import {
  canonicalEmail,
  type LifecycleEvents,
  LOCK,
  type Locked,
  type PersonPrincipal,
  type SessionId,
  type UserId,
} from '../../kernel/index.js';
import { Lifecycle, OnLifecycle } from '../../platform/lifecycle/index.js';
import { MailLink } from '../../platform/mail/index.js';
import { EmailCodeMails } from '../email-codes/email-code-mails.js';
import {
  type CodeSubject,
  createEmailCode,
  EmailCodeRepository,
} from '../email-codes/email-code.repository.js';
import type { Proof } from '../evidence/evidence.js';
import { GrantRepository, type GrantView } from '../grants/grant.repository.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { sessionEvent } from '../sessions/session.service.js';
import { TokenIssuer } from '../tokens/token-issuer.js';
import type { TenantTokenResponse } from '../tokens/token.response.js';

/** Methods of a person, with the options of a passkey if it is one of them. */
type StepUpOptions = { readonly methods: readonly string[] } & Partial<CeremonyOptions>;

/** Confirms the person in the current session (RFC 9470, ADR 22). */
@Injectable()
export class StepUpService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly credentials: CredentialService,
    private readonly ownMethods: OwnMethods,
    private readonly factors: FactorService,
    private readonly passkeys: PasskeyService,
    private readonly codes: EmailCodeRepository,
    private readonly codeMails: EmailCodeMails,
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Returns the step-up methods of the caller, and the options of a passkey if there is one. No
   * methods for people who sign in by external providers only.
   */
  async createOptions(caller: PersonPrincipal, method?: 'email_code'): Promise<StepUpOptions> {
    const { methods } = await this.ownMethods.find(caller);
    if (method !== undefined && methods.includes(method)) await this.sendCode(caller);
    if (!methods.includes('passkey')) return { methods };
    const scope = await this.ownMethods.findScope(caller);
    return { methods, ...(await this.passkeys.createOptions(useOf(caller), caller.userId, scope)) };
  }

  /**
   * Confirms the person by password. Later refreshes keep the new `auth_time`.
   * @returns an access token with a new `auth_time`
   * @throws {AppError} invalid-credentials; validation-error on `method` if the account has no
   *   password; unauthenticated if the session has ended
   */
  async confirmByPassword(
    principal: PersonPrincipal,
    password: string,
    client: Client,
  ): Promise<TenantTokenResponse> {
    const proven = await this.credentials.proveOwn(principal.userId, password, client);
    const grant = await this.database.transaction(async () => {
      // Locked before the session, as at login. A password that has been changed since it was
      // verified confirms nothing.
      const userId = await this.accounts.requireUnchangedForShare(proven.userId, proven.passwordVersion);
      const isOwn = await this.isOwn(principal, 'password');
      return this.confirm(userId, principal, { method: 'password', isOwn });
    });
    return this.issue(grant, principal);
  }

  /**
   * Confirms the person by a second factor.
   * @returns an access token with a new `auth_time` and `acr`
   * @throws {AppError} invalid-second-factor; validation-error on `ceremony`; unauthenticated if
   *   the session has ended
   */
  async confirmByFactor(
    principal: PersonPrincipal,
    answer: FactorAnswer,
    client: Client,
  ): Promise<TenantTokenResponse> {
    const { userId } = principal;
    const prepared = await this.factors.prepare(userId, answer, useOf(principal));
    if (await this.factors.isBlocked(userId, answer.method, client))
      throw new AppError('invalid-second-factor');
    const done = await this.database.transaction(async () => {
      const { id } = await this.accounts.requireActiveForShare(userId);
      const scope = await this.ownMethods.findScope(principal);
      const factor = await this.factors.accept(id, prepared, scope);
      if (!factor) return null;
      const isOwn = factor.assuredBy === null;
      return { isOwn, grant: await this.confirm(id, principal, { method: answer.method, isOwn }) };
    });
    await this.factors.recordAttempt(userId, client, done);
    if (!done) throw new AppError('invalid-second-factor');
    return this.issue(done.grant, principal);
  }

  /**
   * Mails a code to a person who can confirm who they are by one only. A mail that the budget of
   * the address withholds leaves the earlier code valid.
   */
  private async sendCode({ userId, sessionId }: PersonPrincipal): Promise<void> {
    await this.database.transaction(async () => {
      const { email, locale } = await this.accounts.requireActiveForShare(userId);
      if (email === null) return;
      const code = createEmailCode();
      const isSent = await this.codeMails.sendStepUp({ email, locale }, code);
      await this.codes.replace(subjectOf(sessionId, email), code, isSent);
    });
  }

  /**
   * Confirms the person by a code that was mailed for this session.
   * @returns an access token with a new `auth_time`
   * @throws {AppError} invalid-second-factor; validation-error on `method` if the person has
   *   another method; unauthenticated if the session has ended
   */
  async confirmByEmailCode(
    principal: PersonPrincipal,
    code: string,
    client: Client,
  ): Promise<TenantTokenResponse> {
    const { userId, sessionId } = principal;
    if (!(await this.ownMethods.find(principal)).methods.includes('email_code'))
      throw AppError.violation('method', 'is not one of your methods');
    if (await this.factors.isBlocked(userId, 'email_code', client))
      throw new AppError('invalid-second-factor');
    const done = await this.database.transaction(async () => {
      const { id, email } = await this.accounts.requireActiveForShare(userId);
      if (email === null) return null;
      const subject = subjectOf(sessionId, email);
      const isTaken = (await this.codes.isRight(subject, code)) && (await this.codes.take(subject, code));
      if (!isTaken) return null;
      const isOwn = await this.isOwn(principal, 'email_code');
      return { isOwn, grant: await this.confirm(id, principal, { method: 'email_code', isOwn }) };
    });
    await this.factors.recordAttempt(userId, client, done);
    if (!done) throw new AppError('invalid-second-factor');
    return this.issue(done.grant, principal);
  }

  /** Adds the proof of a new authenticator app to the session in which it was confirmed. */
  @OnLifecycle('account.totp-confirmed', { order: LOCK.sessions })
  async addProof({ userId, sessionId }: LifecycleEvents['account.totp-confirmed']): Promise<void> {
    const wasStrong = await this.sessions.isStrong(sessionId);
    if (!(await this.sessions.confirm(sessionId, userId, { method: 'totp' })))
      throw new AppError('unauthenticated');
    if (!wasStrong) await this.lifecycle.emit('session.strengthened', { userId, sessionId });
  }

  /** Returns whether a method that counts in the session is the person's own (ADR 49). */
  private async isOwn(caller: PersonPrincipal, method: 'password' | 'email_code'): Promise<boolean> {
    return !caller.ownProofMissing || (await this.ownMethods.find(caller)).own.includes(method);
  }

  private issue(grant: GrantView, { tenantId }: PersonPrincipal): Promise<TenantTokenResponse> {
    return this.tokens.issueAccess(grant, tenantId);
  }

  /** The mail does not say for which session the code is: the person asks for another one there. */
  @MailLink('step-up-code')
  isMailOfUse(): Promise<boolean> {
    return Promise.resolve(false);
  }

  /** Records the confirmation. */
  private async confirm(
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
}

/** A code confirms the person in this session, by the address that it was mailed to. */
const subjectOf = (sessionId: SessionId, email: string): CodeSubject =>
  `step-up|${sessionId}|${canonicalEmail(email)}`;

/** A passkey confirms the person in this session only. */
const useOf = ({ userId, sessionId }: PersonPrincipal) =>
  ({ purpose: 'step-up', binding: `${userId}|${sessionId}` }) as const;
