import { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from '../../ability/index.js';
import { AccountService } from '../../iam/index.js';
import { MAX_PROOF_AGE_SECONDS } from '../../kernel/index.js';
import { ProviderRegistry } from '../providers/provider.registry.js';
import { IdentityRepository, type Identity } from './identity.repository.js';

/**
 * An identity, and whether there is no other way into its account. One of a provider that has gone
 * is no way in.
 */
interface Judged extends Identity {
  readonly isLastWayIn: boolean;
}

/** What a person may do with their own identities. */
@AbilityPolicy({ module: 'iam', entity: 'identity', collection: 'identities' })
export class IdentityPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
    private readonly providers: ProviderRegistry,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    const { userId } = principal;
    // The account first, so that two identities cannot be removed at once.
    if (lock) await this.accounts.lockForUpdate(userId);
    const found = await this.identities.findOwn(userId, ids, lock);
    if (await this.accounts.hasPassword(userId)) return judged(found, () => false);
    const open = await this.identities.findTwoThatOpen(userId, this.providers.waysIn);
    return judged(found, (id) => open.every((other) => other === id));
  }

  @Scope('unlink', { audience: 'everyone', firstParty: true, maxAge: MAX_PROOF_AGE_SECONDS })
  unlink({ isLastWayIn }: Judged): true | string {
    return (
      !isLastWayIn || 'This is the only way into your account. Set a password or link another identity first.'
    );
  }
}

function judged(identities: readonly Identity[], isLastWayIn: (id: string) => boolean): Map<string, Judged> {
  return new Map(
    identities.map((identity) => [identity.id, { ...identity, isLastWayIn: isLastWayIn(identity.id) }]),
  );
}
