import { Injectable } from '@nestjs/common';
import { type FactorAnswer, FactorService, OwnMethods } from '../../authenticator/index.js';
import { AccountService, CredentialService } from '../../iam/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import type { GrantView } from '../grants/grant.repository.js';
import { ProofConfirmation } from './proof-confirmation.js';
import { passkeyUseOf } from './step-up-binding.js';

/** Confirms the person in the current session (RFC 9470, ADR 22). */
@Injectable()
export class StepUpService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly credentials: CredentialService,
    private readonly ownMethods: OwnMethods,
    private readonly factors: FactorService,
    private readonly confirmation: ProofConfirmation,
  ) {}

  /**
   * Confirms the person by password. Later refreshes keep the new `auth_time`.
   * @returns the grant with a new `auth_time`
   * @throws {AppError} invalid-credentials; validation-error on `method` if the account has no
   *   password; unauthenticated if the session has ended
   */
  async confirmByPassword(principal: PersonPrincipal, password: string, client: Client): Promise<GrantView> {
    const proven = await this.credentials.proveOwn(principal.userId, password, client);
    return this.database.transaction(async () => {
      // Locked before the session, as at login. A password that has been changed since it was
      // verified confirms nothing.
      const userId = await this.accounts.requireUnchangedForShare(proven.userId, proven.passwordVersion);
      const isOwn = await this.confirmation.isOwn(principal, 'password');
      return this.confirmation.confirm(userId, principal, { method: 'password', isOwn });
    });
  }

  /**
   * Confirms the person by a second factor.
   * @returns the grant with a new `auth_time` and `acr`
   * @throws {AppError} invalid-second-factor; validation-error on `ceremony`; unauthenticated if
   *   the session has ended
   */
  async confirmByFactor(
    principal: PersonPrincipal,
    answer: FactorAnswer,
    client: Client,
  ): Promise<GrantView> {
    const { userId } = principal;
    const prepared = await this.factors.prepare(userId, answer, passkeyUseOf(principal));
    if (await this.factors.isBlocked(userId, answer.method, client))
      throw new AppError('invalid-second-factor');
    const done = await this.database.transaction(async () => {
      const { id } = await this.accounts.requireActiveForShare(userId);
      const scope = await this.ownMethods.findScope(principal);
      const factor = await this.factors.accept(id, prepared, scope);
      if (!factor) return null;
      const isOwn = factor.assuredBy === null;
      return {
        isOwn,
        grant: await this.confirmation.confirm(id, principal, { method: answer.method, isOwn }),
      };
    });
    await this.factors.recordAttempt(userId, client, done);
    if (!done) throw new AppError('invalid-second-factor');
    return done.grant;
  }
}
