import { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from '../../ability/index.js';
import { AccountService } from '../../iam/index.js';
import { IdentityRepository, type Identity } from './identity.repository.js';

/** An identity, and whether it is the only way into its account. */
interface Judged extends Identity {
  readonly isLastWayIn: boolean;
}

/** What a person may do with their own identities. */
@AbilityPolicy({ module: 'iam', entity: 'identity', collection: 'identities' })
export class IdentityPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly identities: IdentityRepository,
    private readonly accounts: AccountService,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    const { userId } = principal;
    // The account first, so that two identities cannot be removed at once.
    if (lock) await this.accounts.lock(userId);
    const found = await this.identities.findOwn(userId, ids, lock);
    const isLastWayIn =
      !(await this.accounts.hasPassword(userId)) && (await this.identities.count(userId)) < 2;
    return new Map(found.map((identity) => [identity.id, { ...identity, isLastWayIn }]));
  }

  @Scope('unlink', { audience: 'everyone' })
  unlink({ isLastWayIn }: Judged): true | string {
    return (
      !isLastWayIn || 'This is the only way into your account. Set a password or link another identity first.'
    );
  }
}
