import { Injectable } from '@nestjs/common';
import { forbid } from '../ability/index.js';
import { FactorRepository } from '../authenticator/index.js';
import { EnforcementConditions } from '../external-identity/index.js';
import { MemberService, type NamedOwner, SignInPolicies } from '../iam/index.js';
import {
  isOwnProofMissing,
  judgeSignIn,
  type Locked,
  type PersonPrincipal,
  type Principal,
  type SetSignInPolicy,
  type SignInPolicy,
  type TenantId,
  type UserId,
} from '../kernel/index.js';
import { MAX_COUNTED } from '../platform/api/index.js';
import { AppError } from '../platform/errors/index.js';

/** Maximum number of owners in an impact. */
export const MAX_LISTED_OWNERS = 100;

/** Fields of a policy to change. */
type Changes = { readonly [Field in keyof SignInPolicy]?: SignInPolicy[Field] | undefined };

/** Members who could not enter with a policy. */
export interface PolicyImpact {
  readonly members: number;
  readonly couldNotEnter: number;
  readonly owners: readonly NamedOwner[];
  /** Whether the caller's own sign-in satisfies the policy, without which it is not set. */
  readonly callerSatisfies: boolean;
}

/** Sets what an organization asks of sign-ins, and finds whom that would lock out (ADR 36). */
@Injectable()
export class SignInPolicyService {
  constructor(
    private readonly policies: SignInPolicies,
    private readonly members: MemberService,
    private readonly factors: FactorRepository,
    private readonly sso: EnforcementConditions,
  ) {}

  /**
   * Sets a policy, whose other fields stay as they are.
   * @throws {AppError} conflict if the caller's own sign-in does not satisfy the policy, so that
   *   administrators do not lock themselves out, or if required single sign-on would lock out
   *   members
   */
  async set(caller: PersonPrincipal, tenantId: Locked<TenantId>, changes: Changes): Promise<SignInPolicy> {
    const current = await this.policies.get(tenantId);
    const policy = merge(current, changes);
    if (!satisfies(caller, policy, tenantId))
      throw new AppError('conflict', { reason: forbid('sign-in-policy.own-sign-in') });
    if (policy.sso === 'required' && current.sso !== 'required')
      await this.requireSsoConditions(tenantId, caller.userId);
    const secondFactorSince = findStart(current, policy);
    await this.policies.replace(caller.userId, tenantId, current, { ...policy, secondFactorSince });
    return policy;
  }

  /** Finds who could not enter with a policy, whose other fields are those in force. */
  async findImpact(caller: Principal, tenantId: TenantId, changes: Changes): Promise<PolicyImpact> {
    const policy = merge(await this.policies.get(tenantId), changes);
    const members = await this.members.listActiveIds(tenantId, MAX_COUNTED);
    const lockedOut = await this.findLockedOut(tenantId, policy, members);
    const owners = await this.findOwners(tenantId, policy);
    const callerSatisfies = caller.kind === 'person' && satisfies(caller, policy, tenantId);
    return { members: members.length, couldNotEnter: lockedOut.size, owners, callerSatisfies };
  }

  /** Returns which of these are active members with a second factor that counts there. */
  async findWithSecondFactor(tenantId: TenantId, userIds: readonly string[]): Promise<UserId[]> {
    const members = await this.members.findActiveIds(tenantId, userIds);
    const without = await this.factors.findWithout(tenantId, members, 'required');
    return members.filter((userId) => !without.has(userId));
  }

  private async requireSsoConditions(tenantId: TenantId, actorId: UserId): Promise<void> {
    const obstacle = await this.sso.findObstacle(tenantId, actorId);
    if (obstacle !== null) throw new AppError('conflict', { reason: forbid(`sign-in-policy.${obstacle}`) });
  }

  private async findOwners(tenantId: TenantId, policy: SignInPolicy): Promise<NamedOwner[]> {
    const owners = await this.members.listOwners(tenantId, MAX_LISTED_OWNERS);
    const ids = owners.map(({ userId }) => userId);
    const lockedOut = await this.findLockedOut(tenantId, policy, ids);
    return owners.filter(({ userId }) => lockedOut.has(userId));
  }

  /** Returns which members lack the factor or the link that a policy requires. */
  private async findLockedOut(
    tenantId: TenantId,
    { secondFactor, sso }: SignInPolicy,
    ids: readonly UserId[],
  ): Promise<ReadonlySet<UserId>> {
    const without =
      secondFactor === 'optional' ? [] : await this.factors.findWithout(tenantId, ids, secondFactor);
    const unlinked = sso === 'optional' ? [] : await this.sso.findUnlinked(tenantId, ids);
    return new Set([...without, ...unlinked]);
  }
}

function merge(current: SetSignInPolicy, changes: Changes): SignInPolicy {
  const { secondFactorSince: _, ...policy } = current;
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...policy, ...(Object.fromEntries(given) as Partial<SignInPolicy>) };
}

/** Returns whether a sign-in satisfies a policy by now: grace days do not count. */
function satisfies(caller: PersonPrincipal, policy: SignInPolicy, tenantId: TenantId): boolean {
  const verdict = judgeSignIn(caller, { ...policy, secondFactorSince: null }, new Date(0), tenantId);
  return verdict.accepted && (policy.otherConnections || !isOwnProofMissing(caller, tenantId));
}

const STRICTNESS: readonly SignInPolicy['secondFactor'][] = ['optional', 'required', 'phishing_resistant'];

/** Grace days count from the time at which the second factor was made stricter. */
function findStart(current: SetSignInPolicy, { secondFactor }: SignInPolicy): string | null {
  if (secondFactor === 'optional') return null;
  const isStricter = STRICTNESS.indexOf(secondFactor) > STRICTNESS.indexOf(current.secondFactor);
  return isStricter ? new Date().toISOString() : current.secondFactorSince;
}
