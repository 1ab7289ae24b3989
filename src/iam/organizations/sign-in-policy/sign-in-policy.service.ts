import { Injectable, type OnModuleInit } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { forbid } from '../../../ability/index.js';
import {
  isOwnProofMissing,
  judgeSignIn,
  type Locked,
  type PersonPrincipal,
  type SetSignInPolicy,
  type SignInPolicy,
  type TenantId,
  type UserId,
} from '../../../kernel/index.js';
import { MAX_COUNTED } from '../../../platform/api/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberRepository } from '../members/member.repository.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantRepository } from '../tenants/tenant.repository.js';
import { MAX_LISTED_OWNERS, MemberFactors, type NamedOwner, type PolicyImpact } from './policy-impact.js';
import { SupportAccessService } from '../support-access/support-access.service.js';
import { SsoConditions } from './sso-conditions.js';

/** Fields of a policy to change. */
type Changes = { readonly [Field in keyof SignInPolicy]?: SignInPolicy[Field] | undefined };

/** Policy of an organization that has set none. */
const NO_POLICY: SetSignInPolicy = {
  secondFactor: 'optional',
  graceDays: 0,
  sso: 'optional',
  otherConnections: false,
  trustedDevices: true,
  maxAuthAgeSeconds: null,
  sessionMaxHours: null,
  supportAccess: 'never',
  stations: 'off',
  pinReset: 'second-factor',
  secondFactorSince: null,
};

/** Reads and sets what an organization asks of sign-ins (ADR 36). */
@Injectable()
export class SignInPolicyService implements OnModuleInit {
  private factors: MemberFactors;
  private sso: SsoConditions;

  constructor(
    private readonly database: Database,
    private readonly tenantLock: TenantLock,
    private readonly tenants: TenantRepository,
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly audit: AuditTrail,
    private readonly supportAccess: SupportAccessService,
    private readonly modules: ModuleRef,
  ) {}

  onModuleInit(): void {
    this.factors = this.modules.get(MemberFactors, { strict: false });
    this.sso = this.modules.get(SsoConditions, { strict: false });
  }

  /** Returns the policy in force. @throws {AppError} not-found for an unknown organization */
  async get(tenantId: TenantId): Promise<SetSignInPolicy> {
    const tenant = await this.tenants.findSignInPolicy(tenantId);
    if (!tenant) throw new AppError('not-found');
    return { ...NO_POLICY, otherConnections: tenant.otherConnections, ...tenant.signInPolicy };
  }

  /**
   * Sets a policy, whose other fields stay as they are.
   * @throws {AppError} conflict if the caller's own
   *   sign-in does not satisfy the policy, so that administrators do not lock themselves out
   */
  async set(caller: PersonPrincipal, tenantId: Locked<TenantId>, changes: Changes): Promise<SignInPolicy> {
    const current = await this.get(tenantId);
    const policy = merge(current, changes);
    requireOwnSignIn(caller, policy, tenantId);
    if (policy.sso === 'required' && current.sso !== 'required')
      await this.requireSsoConditions(tenantId, caller.userId);
    const secondFactorSince = findStart(current, policy);
    await this.tenants.setSignInPolicy(tenantId, { ...policy, secondFactorSince });
    if (policy.supportAccess !== current.supportAccess) await this.supportAccess.review(tenantId);
    await this.directory.announceTenants(tenantId);
    await this.audit.record({
      actorId: caller.userId,
      tenantId,
      action: 'sign-in-policy.changed',
      subject: `iam/sign-in-policies/${tenantId}`,
    });
    return policy;
  }

  /**
   * Makes single sign-on optional, for an operator, when neither the provider nor an owner for
   * emergencies can be used. In the audit trail the organization itself is the actor.
   * @returns whether it was required
   * @throws {AppError} not-found
   */
  liftSingleSignOn(tenantId: TenantId): Promise<boolean> {
    return this.database.transaction(async () => {
      await this.tenantLock.lockForUpdate(tenantId);
      const current = await this.get(tenantId);
      if (current.sso !== 'required') return false;
      await this.tenants.setSignInPolicy(tenantId, { ...current, sso: 'optional' });
      await this.directory.announceTenants(tenantId);
      await this.audit.record({
        actorId: tenantId as string as UserId,
        tenantId,
        action: 'sign-in-policy.sso-lifted',
        subject: `iam/sign-in-policies/${tenantId}`,
      });
      return true;
    });
  }

  /** Finds who could not enter with a policy, whose other fields are those in force. */
  async findImpact(tenantId: TenantId, changes: Changes): Promise<PolicyImpact> {
    const policy = merge(await this.get(tenantId), changes);
    const members = await this.members.listActiveIds(tenantId, MAX_COUNTED);
    const lockedOut = await this.findLockedOut(tenantId, policy, members);
    const owners = await this.findOwners(tenantId, policy);
    return { members: members.length, couldNotEnter: lockedOut.size, owners };
  }

  /** Returns the second factors that organizations of a person require. */
  findRequiredFactors(userId: UserId): Promise<SignInPolicy['secondFactor'][]> {
    return this.tenants.findRequiredFactors(userId);
  }

  /** @throws {AppError} conflict if members would be locked out */
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

  /** Returns those of these members who lack the factor or the link that a policy requires. */
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

/** Grace days do not count: who sets a policy must satisfy it by now. */
function requireOwnSignIn(caller: PersonPrincipal, policy: SignInPolicy, tenantId: TenantId): void {
  const verdict = judgeSignIn(caller, { ...policy, secondFactorSince: null }, new Date(0), tenantId);
  const isOpen = policy.otherConnections || !isOwnProofMissing(caller, tenantId);
  if (!verdict.accepted || !isOpen)
    throw new AppError('conflict', { reason: forbid('sign-in-policy.own-sign-in') });
}

const STRICTNESS: readonly SignInPolicy['secondFactor'][] = ['optional', 'required', 'phishing_resistant'];

/** Grace days count from the time at which the second factor was made stricter. */
function findStart(current: SetSignInPolicy, { secondFactor }: SignInPolicy): string | null {
  if (secondFactor === 'optional') return null;
  const isStricter = STRICTNESS.indexOf(secondFactor) > STRICTNESS.indexOf(current.secondFactor);
  return isStricter ? new Date().toISOString() : current.secondFactorSince;
}
