import { Injectable } from '@nestjs/common';
import { AccountService } from '../../iam/index.js';
import { AppError } from '../../platform/errors/index.js';
import {
  assurerOf,
  factorScopeOf,
  type Locked,
  type PersonPrincipal,
  type TenantId,
  type UserId,
} from '../../kernel/index.js';
import { AuthenticatorNotices } from '../authenticator-notices.js';
import type { AcceptedFactor } from '../factor.repository.js';
import { OwnMethods } from '../own-methods.js';
import { createRecoveryCodes } from './recovery-code.js';
import { RecoveryCodeRepository } from './recovery-code.repository.js';

/** Creates sets of recovery codes, and takes the codes. */
@Injectable()
export class RecoveryCodeService {
  constructor(
    private readonly accounts: AccountService,
    private readonly codes: RecoveryCodeRepository,
    private readonly ownMethods: OwnMethods,
    private readonly notices: AuthenticatorNotices,
  ) {}

  async create(userId: Locked<UserId>, assuredBy: TenantId | null): Promise<string[]> {
    const codes = createRecoveryCodes();
    await this.codes.replace(userId, codes, assuredBy);
    return codes;
  }

  /**
   * Takes a code, once, and tells the owner how many are left. Joins the open transaction.
   * @param scope organizations whose codes count in addition to the person's own
   * @returns null for a wrong one
   */
  async take(userId: UserId, code: string, scope: readonly TenantId[]): Promise<AcceptedFactor | null> {
    const taken = await this.codes.take(userId, code, scope);
    if (!taken) return null;
    const left = await this.codes.count(userId, scope);
    await this.notices.tell(userId, 'recovery-code-used', null, { left });
    return { id: null, ...taken };
  }

  /** Replaces the set of a person. @throws {AppError} conflict without a second factor */
  renew(caller: PersonPrincipal): Promise<string[]> {
    const { userId } = caller;
    return this.accounts.underLock(userId, async ({ id }) => {
      if (!(await this.ownMethods.findFactors(userId, factorScopeOf(caller))).secondFactor)
        throw new AppError('conflict', { reason: { id: 'authenticator.none-yet' } });
      const codes = await this.create(id, assurerOf(caller));
      await this.notices.tell(userId, 'recovery-codes-renewed', null);
      return codes;
    });
  }
}
