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
import { OwnMethods } from '../own-methods.js';
import { createRecoveryCodes } from './recovery-code.js';
import { RecoveryCodeRepository } from './recovery-code.repository.js';

/** Creates sets of recovery codes. */
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
