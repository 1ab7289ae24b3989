import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { newId, type TenantId, type UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberRepository } from '../members/member.repository.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { MembershipLimit } from '../members/membership-limit.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleRepository } from '../roles/role.repository.js';
import type { Tenant } from './tenant.js';
import { TenantRepository, type MyTenant } from './tenant.repository.js';

/** Manages organizations. The caller has checked the permission before. */
@Injectable()
export class TenantService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantRepository,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly limit: MembershipLimit,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Creates an organization with the person as its owner.
   * @param name default: the company of the person's account
   * @throws {AppError} validation-error on `name` without either; conflict if the person is a
   *   member of the maximum number of organizations
   */
  create(userId: UserId, name: string | undefined): Promise<Tenant> {
    return this.database.transaction(async () => {
      const account = await this.limit.lockAccountForUpdate(userId);
      const chosen = name ?? account.company;
      if (chosen === null)
        throw AppError.violation('name', 'must be given, as the account has no company to name it after');
      const tenant = await this.tenants.insert(newId() as TenantId, chosen);
      await this.roles.insertBuiltIn(tenant.id);
      const owner = await this.roles.findByKeys(tenant.id, [OWNER]);
      await this.members.insert(
        tenant.id,
        userId,
        owner.map(({ id }) => id),
        'manual',
      );
      await this.limit.requireWithinLimit(userId);
      await this.record(userId, tenant.id, 'created');
      return tenant;
    });
  }

  listMine(userId: UserId, page: Page): Promise<MyTenant[]> {
    return this.tenants.listOf(userId, page);
  }

  /** @throws {AppError} not-found for an unknown organization */
  async get(id: TenantId): Promise<Tenant> {
    return (await this.tenants.find(id)) ?? throwNotFound();
  }

  async rename(actorId: UserId, id: TenantId, name: string): Promise<Tenant> {
    const tenant = (await this.tenants.rename(id, name)) ?? throwNotFound();
    await this.record(actorId, id, 'renamed');
    return tenant;
  }

  archive(actorId: UserId, id: TenantId): Promise<Tenant> {
    return this.setArchived(actorId, id, true);
  }

  restore(actorId: UserId, id: TenantId): Promise<Tenant> {
    return this.setArchived(actorId, id, false);
  }

  private async setArchived(actorId: UserId, id: TenantId, archived: boolean): Promise<Tenant> {
    const tenant = (await this.tenants.setArchived(id, archived)) ?? throwNotFound();
    await this.record(actorId, id, archived ? 'archived' : 'restored');
    await this.directory.announceTenants(id);
    return tenant;
  }

  private record(actorId: UserId, tenantId: TenantId, what: string): Promise<void> {
    return this.audit.record({
      actorId,
      tenantId,
      action: `tenant.${what}`,
      subject: `iam/tenants/${tenantId}`,
    });
  }
}

function throwNotFound(): never {
  throw new AppError('not-found');
}
