import { Injectable } from '@nestjs/common';
import { OwnMethods } from '../../authenticator/index.js';
import { AccountService } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { IdentityRepository } from './identity.repository.js';

/** Tells by what people can enter their accounts without an external identity. */
@Injectable()
export class OtherSignIns {
  constructor(
    private readonly accounts: AccountService,
    private readonly identities: IdentityRepository,
    private readonly providers: ProviderRegistry,
    private readonly ownMethods: OwnMethods,
  ) {}

  /** Returns whether the person can still enter the account without the identity. */
  async existWithout(userId: UserId, id: string): Promise<boolean> {
    const { email } = await this.accounts.requireForShare(userId);
    if (email !== null || (await this.accounts.hasPassword(userId))) return true;
    const usable = await this.identities.findTwoUsable(userId, this.providers.acceptedIssuers);
    if (usable.some((other) => other !== id)) return true;
    return (await this.ownMethods.findFactors(userId, [])).methods.includes('passkey');
  }
}
