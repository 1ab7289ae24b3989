import { Injectable } from '@nestjs/common';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database, isUniqueViolation } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { MemberAuthority } from '../../organizations/members/member-authority.js';
import { AccountRepository } from '../account.repository.js';
import { type EmailChange, EmailChangeRepository } from './email-change.repository.js';
import { EmailReplacement } from './email-replacement.js';
import { ManagedAccountRepository } from './managed-account.repository.js';

/** By which a member asks for the address of another one. */
const SCOPE_FOR_OTHERS = 'iam:worker:update';

/** Changes addresses by the link that was mailed to the new one. */
@Injectable()
export class EmailConfirmationService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountRepository,
    private readonly changes: EmailChangeRepository,
    private readonly managed: ManagedAccountRepository,
    private readonly authority: MemberAuthority,
    private readonly replacement: EmailReplacement,
  ) {}

  /**
   * Gives the account the new address.
   * @throws {AppError} validation-error on `token` if it is wrong, used, void or expired, or if by
   *   now another account has the address, a directory manages it, or the member who asked for it
   *   could not do so any more
   */
  async confirm(plainToken: string): Promise<void> {
    const tokenHash = hashOneTimeToken(plainToken);
    await this.database
      .transaction(async () => {
        const asked = await this.changes.find(tokenHash);
        if (!asked) throw invalidToken();
        const { userId, emailKey } = asked;
        const { own, holder } = await this.accounts.findActiveWithHolderForUpdate(userId, emailKey);
        if (!own || holder || (await this.managed.isManaged(userId))) throw invalidToken();
        const change = await this.changes.take(tokenHash);
        if (!change || !(await this.isRequestedStill(change))) throw invalidToken();
        await this.replacement.replace(own, change.email);
      })
      .catch((error: unknown) => {
        throw isUniqueViolation(error) ? invalidToken() : error;
      });
  }

  /** A removed member must not take over the account of a worker by a link to themselves. */
  private async isRequestedStill(change: EmailChange): Promise<boolean> {
    const { userId, sessionId, requestedBy, requestedIn } = change;
    if (sessionId !== null || requestedBy === null || requestedIn === null) return true;
    const begun = { tenantId: requestedIn, actorId: requestedBy, userId };
    return this.authority.covers(begun, SCOPE_FOR_OTHERS);
  }
}

const invalidToken = (): AppError => AppError.violation('token', { id: 'email-change.link-not-valid' });
