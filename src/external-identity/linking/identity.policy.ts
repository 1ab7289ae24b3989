import {
  AbilityPolicy,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../ability/index.js';
import { AccountService } from '../../iam/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { IdentityRepository, type Identity } from './identity.repository.js';
import './identity.messages.js';

/**
 * An identity, and whether the account has no other sign-in method. An identity of a provider that
 * is no longer configured does not count as one.
 */
interface Judged extends Identity {
  readonly isOnlySignIn: boolean;
}

/** Decides what a person may do with their own identities. */
@AbilityPolicy({ module: 'iam', entity: 'identity', collection: 'identities' })
export class IdentityPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
    private readonly providers: ProviderRegistry,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    const { userId } = principal;
    // Locks the account, so that two concurrent requests cannot unlink the last two identities.
    if (lock) await this.accounts.lockForUpdate(userId);
    const found = await this.identities.findOwn(userId, ids, lock);
    if (await this.accounts.hasPassword(userId)) return judged(found, () => false);
    const usable = await this.identities.findTwoUsable(userId, this.providers.acceptedIssuers);
    return judged(found, (id) => usable.every((other) => other === id));
  }

  @Scope('unlink', { audience: 'everyone', firstParty: true, ...SENSITIVE })
  unlink({ isOnlySignIn }: Judged): true | Refusal {
    return !isOnlySignIn || forbid('identity.only-sign-in');
  }
}

function judged(identities: readonly Identity[], isOnlySignIn: (id: string) => boolean): Map<string, Judged> {
  return new Map(
    identities.map((identity) => [identity.id, { ...identity, isOnlySignIn: isOnlySignIn(identity.id) }]),
  );
}
