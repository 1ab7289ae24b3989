import { Injectable } from '@nestjs/common';
import { FactorService, OwnMethods } from '../../authenticator/index.js';
import { AccountService } from '../../iam/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import type { Client } from '../../platform/web/index.js';
import { EmailCodeRepository } from '../email-codes/email-code.repository.js';
import type { GrantView } from '../grants/grant.repository.js';
import { ProofConfirmation } from './proof-confirmation.js';
import { codeSubjectOf } from './step-up-binding.js';

/** Confirms people in their session by codes that were mailed for it. */
@Injectable()
export class StepUpCodeService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly ownMethods: OwnMethods,
    private readonly factors: FactorService,
    private readonly codes: EmailCodeRepository,
    private readonly confirmation: ProofConfirmation,
  ) {}

  /**
   * Confirms the person by a code that was mailed for this session.
   * @returns the grant with a new `auth_time`
   * @throws {AppError} invalid-second-factor; validation-error on `method` if the person has
   *   another method; unauthenticated if the session has ended
   */
  async confirm(principal: PersonPrincipal, code: string, client: Client): Promise<GrantView> {
    const { userId, sessionId } = principal;
    if (!(await this.ownMethods.find(principal)).methods.includes('email_code'))
      throw AppError.violation('method', 'is not one of your methods');
    if (await this.factors.isBlocked(userId, 'email_code', client))
      throw new AppError('invalid-second-factor');
    const done = await this.database.transaction(async () => {
      const { id, email } = await this.accounts.requireActiveForShare(userId);
      if (email === null) return null;
      const subject = codeSubjectOf(sessionId, email);
      const isTaken = (await this.codes.isRight(subject, code)) && (await this.codes.take(subject, code));
      if (!isTaken) return null;
      const isOwn = await this.confirmation.isOwn(principal, 'email_code');
      return {
        isOwn,
        grant: await this.confirmation.confirm(id, principal, { method: 'email_code', isOwn }),
      };
    });
    await this.factors.recordAttempt(userId, client, done);
    if (!done) throw new AppError('invalid-second-factor');
    return done.grant;
  }
}
