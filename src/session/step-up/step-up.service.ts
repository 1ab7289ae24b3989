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
import type { LifecycleEvents, Principal } from '../../kernel/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import type { Proof } from '../evidence/evidence.js';
import { GrantRepository, type GrantView } from '../grants/grant.repository.js';
import { sessionEvent } from '../sessions/session-event.js';
import { SessionRepository } from '../sessions/session.repository.js';
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
    private readonly sessions: SessionRepository,
    private readonly grants: GrantRepository,
    private readonly tokens: TokenIssuer,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Returns the step-up methods of the caller, and the options of a passkey if there is one. No
   * methods for people who sign in by external providers only.
   */
  async createOptions(caller: Principal): Promise<StepUpOptions> {
    const { methods } = await this.ownMethods.find(caller.userId);
    if (!methods.includes('passkey')) return { methods };
    return { methods, ...(await this.passkeys.createOptions(useOf(caller), caller.userId)) };
  }

  /**
   * Confirms the person by password. Later refreshes keep the new `auth_time`.
   * @returns an access token with a new `auth_time`
   * @throws {AppError} invalid-credentials; validation-error on `method` if the account has no
   *   password; unauthenticated if the session has ended
   */
  async confirmByPassword(
    principal: Principal,
    password: string,
    client: Client,
  ): Promise<TenantTokenResponse> {
    const proven = await this.credentials.proveOwn(principal.userId, password, client);
    const grant = await this.database.transaction(async () => {
      // Locked before the session, as at login. A password that has been changed since it was
      // verified confirms nothing.
      await this.accounts.requireUnchangedForShare(proven.userId, proven.passwordVersion);
      return this.confirm(principal, { method: 'password' });
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
    principal: Principal,
    answer: FactorAnswer,
    client: Client,
  ): Promise<TenantTokenResponse> {
    const { userId } = principal;
    const prepared = await this.factors.prepare(userId, answer, useOf(principal));
    if (await this.factors.isBlocked(userId, answer.method, client))
      throw new AppError('invalid-second-factor');
    const grant = await this.database.transaction(async () => {
      await this.accounts.requireActiveForShare(userId);
      const accepted = await this.factors.accept(userId, prepared);
      return accepted ? this.confirm(principal, { method: answer.method }) : null;
    });
    await this.factors.recordAttempt(userId, client, grant !== null);
    if (!grant) throw new AppError('invalid-second-factor');
    return this.issue(grant, principal);
  }

  /** Adds the proof of a new authenticator app to the session in which it was confirmed. */
  @OnLifecycle('account.totp-confirmed')
  async addProof({ userId, sessionId }: LifecycleEvents['account.totp-confirmed']): Promise<void> {
    if (!(await this.sessions.confirm(sessionId, userId, { method: 'totp' })))
      throw new AppError('unauthenticated');
  }

  private async issue(grant: GrantView, { tenantId }: Principal): Promise<TenantTokenResponse> {
    const { refreshToken: _, ...tokens } = await this.tokens.issue(grant, tenantId);
    return tokens;
  }

  /** Records the confirmation. Joins the open transaction, which has locked the account. */
  private async confirm({ userId, sessionId, grantId }: Principal, proof: Proof): Promise<GrantView> {
    const confirmed = await this.sessions.confirm(sessionId, userId, proof);
    const grant = confirmed ? await this.grants.findAlive(grantId) : null;
    if (!grant) throw new AppError('unauthenticated');
    await this.audit.record(sessionEvent('confirmed', userId, sessionId));
    return grant;
  }
}

/** A passkey confirms the person in this session only. */
const useOf = ({ userId, sessionId }: Principal) =>
  ({ purpose: 'step-up', binding: `${userId}|${sessionId}` }) as const;
