import { Injectable } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../../kernel/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberRepository } from '../members/member.repository.js';
import { MembershipLimit } from '../members/membership-limit.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleRepository } from '../roles/role.repository.js';
import { orTaken, SlugCheck } from './slug-check.js';
import type { Tenant } from './tenant.entity.js';
import { TenantRepository } from './tenant.repository.js';

/** Creates organizations. */
@Injectable()
export class TenantCreationService {
  constructor(
    private readonly limit: MembershipLimit,
    private readonly slugs: SlugCheck,
    private readonly tenants: TenantRepository,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates an organization with the person as its owner.
   * @param name default: the company of the person's account
   * @throws {AppError} validation-error on `name` without either; conflict if the person is a
   *   member of the maximum number of organizations, or another organization has the slug or had
   *   it; too-many-requests beyond `LIMIT_ORGANIZATIONS` of a day
   */
  create(userId: UserId, { name, slug }: { name?: string; slug?: string }): Promise<Tenant> {
    this.slugs.requireAllowed(slug);
    return this.limit.createWithin(userId, async ({ company }) => {
      const chosen = name ?? company;
      if (chosen === null)
        throw AppError.violation('name', 'must be given, as the account has no company to name it after');
      const tenant = await orTaken(this.tenants.insert(newId() as TenantId, chosen, slug ?? null));
      await this.slugs.requireNotFormer(tenant);
      await this.roles.insertBuiltIn(tenant.id);
      await this.members.insertWithRole(tenant.id, userId, OWNER, 'manual');
      const subject = `iam/tenants/${tenant.id}`;
      await this.audit.record({ actorId: userId, tenantId: tenant.id, action: 'tenant.created', subject });
      return tenant;
    });
  }
}
