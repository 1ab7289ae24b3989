import type { SignInPolicy, TenantId, UserId } from '../../../kernel/index.js';
import type { PersonName } from '../../accounts/person-name.js';

/** Maximum number of owners in an impact. */
export const MAX_LISTED_OWNERS = 100;

/** A second factor that a policy requires. */
export type RequiredFactor = Exclude<SignInPolicy['secondFactor'], 'optional'>;

/** An owner, as the impact of a policy names them. */
export interface NamedOwner extends PersonName {
  readonly userId: UserId;
  readonly email: string | null;
}

/** Members who could not enter with a policy. */
export interface PolicyImpact {
  readonly members: number;
  readonly couldNotEnter: number;
  readonly owners: readonly NamedOwner[];
}

/** Source of the second factors of members. Implemented by the module that has them. */
export abstract class MemberFactors {
  /**
   * Returns the members of an organization, of these, who have no such factor that counts there.
   */
  abstract findWithout(
    tenantId: TenantId,
    userIds: readonly UserId[],
    factor: RequiredFactor,
  ): Promise<ReadonlySet<UserId>>;
}
