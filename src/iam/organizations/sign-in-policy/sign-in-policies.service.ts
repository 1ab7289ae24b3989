import { Injectable } from '@nestjs/common';
import type { Locked, SetSignInPolicy, SignInPolicy, TenantId, UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccessCache } from '../members/access-cache.js';
import { SupportAccessService } from '../support-access/support-access.service.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantRepository } from '../tenants/tenant.repository.js';

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

/** Reads and replaces what organizations ask of sign-ins (ADR 36). */
@Injectable()
export class SignInPolicies {
  constructor(
    private readonly tenantLock: TenantLock,
    private readonly tenants: TenantRepository,
    private readonly cache: AccessCache,
    private readonly audit: AuditTrail,
    private readonly supportAccess: SupportAccessService,
  ) {}

  /** Returns the policy in force. @throws {AppError} not-found for an unknown organization */
  async get(tenantId: TenantId): Promise<SetSignInPolicy> {
    const tenant = (await this.tenants.findSignInPolicy(tenantId)) ?? AppError.notFound();
    return { ...NO_POLICY, otherConnections: tenant.otherConnections, ...tenant.signInPolicy };
  }

  /** Replaces the policy in force, on every replica within a second. */
  async replace(
    actorId: UserId,
    tenantId: Locked<TenantId>,
    current: SignInPolicy,
    policy: SetSignInPolicy,
  ): Promise<void> {
    await this.tenants.setSignInPolicy(tenantId, policy);
    if (policy.supportAccess !== current.supportAccess) await this.supportAccess.review(actorId, tenantId);
    await this.cache.announceTenants(tenantId);
    await this.record(actorId, tenantId, 'changed');
  }

  /**
   * Makes single sign-on optional, for an operator, when neither the provider nor an owner for
   * emergencies can be used. In the audit trail the organization itself is the actor.
   * @returns whether it was required
   * @throws {AppError} not-found
   */
  liftSingleSignOn(tenantId: TenantId): Promise<boolean> {
    return this.tenantLock.underLock(tenantId, async () => {
      const current = await this.get(tenantId);
      if (current.sso !== 'required') return false;
      await this.tenants.setSignInPolicy(tenantId, { ...current, sso: 'optional' });
      await this.cache.announceTenants(tenantId);
      await this.record(tenantId as string as UserId, tenantId, 'sso-lifted');
      return true;
    });
  }

  private record(actorId: UserId, tenantId: TenantId, what: string): Promise<void> {
    const subject = `iam/sign-in-policies/${tenantId}`;
    return this.audit.record({ actorId, tenantId, action: `sign-in-policy.${what}`, subject });
  }

  /** Returns the second factors that organizations of a person require. */
  findRequiredFactors(userId: UserId): Promise<SignInPolicy['secondFactor'][]> {
    return this.tenants.findRequiredFactors(userId);
  }
}
