import { Injectable } from '@nestjs/common';
import { ErasureService } from '../../iam/index.js';
import type { Locked, UserId } from '../../kernel/index.js';
import { LogoutService } from '../../session/index.js';
import { IdentityService } from '../linking/identity.service.js';
import { OtherSignIns } from '../linking/other-sign-ins.js';

/** Ends identities that their provider says have ended. */
@Injectable()
export class WithdrawnIdentities {
  constructor(
    private readonly logouts: LogoutService,
    private readonly others: OtherSignIns,
    private readonly identities: IdentityService,
    private readonly erasures: ErasureService,
  ) {}

  /**
   * Signs the person out, and removes the identity. After `withdrawn` an identity stays that is the
   * only way into the account, which the person enters again by a new consent; after `deleted` such
   * an account is erased. Joins the open transaction.
   */
  async end(userId: Locked<UserId>, id: string, what: 'withdrawn' | 'deleted'): Promise<void> {
    await this.logouts.logoutAll({ userId });
    if (await this.others.existWithout(userId, id)) await this.identities.unlink(userId, id);
    else if (what === 'deleted') await this.erasures.erase(userId);
  }
}
