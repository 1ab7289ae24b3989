import { Injectable } from '@nestjs/common';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import type { TenantId, UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { orTaken, SlugCheck } from './slug-check.js';
import { TenantStateChanges } from './tenant-state-changes.js';
import type { Tenant, TenantChanges } from './tenant.entity.js';
import { TenantRepository, type MyTenant } from './tenant.repository.js';

/** Manages organizations. The caller has checked the permission before. */
@Injectable()
export class TenantService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantRepository,
    private readonly slugs: SlugCheck,
    private readonly changes: TenantStateChanges,
    private readonly audit: AuditTrail,
  ) {}

  listMine(userId: UserId, page: Page): Promise<MyTenant[]> {
    return this.tenants.listOf(userId, page);
  }

  /** Finds the names of organizations that exist, by their ids. */
  findNames(ids: readonly TenantId[]): Promise<ReadonlyMap<TenantId, string>> {
    return this.tenants.findNames(ids);
  }

  /** @throws {AppError} not-found for an unknown organization */
  async get(id: TenantId): Promise<Tenant> {
    return (await this.tenants.find(id)) ?? AppError.notFound();
  }

  /**
   * Changes the name and the slug of an organization. It keeps its former slugs from others, who
   * would get the people whose bookmarks have them.
   * @throws {AppError} validation-error on `name` without either, and on a `slug` that is
   *   reserved; conflict if another organization has the slug or had it
   */
  async update(actorId: UserId, id: TenantId, changes: TenantChanges): Promise<Tenant> {
    const { name, slug } = changes;
    if (name === undefined && slug === undefined) throw AppError.violation('name', 'must be given');
    this.slugs.requireAllowed(slug);
    return this.database.transaction(async () => {
      const tenant = (await orTaken(this.tenants.update(id, changes))) ?? AppError.notFound();
      if (slug !== undefined) await this.slugs.requireNotFormer(tenant);
      if (name !== undefined) await this.record(actorId, id, 'renamed');
      if (slug !== undefined) await this.record(actorId, id, 'slug-changed');
      return tenant;
    });
  }

  /** Returns the id of the organization with the slug; null if there is none. */
  findIdBySlug(slug: string): Promise<TenantId | null> {
    return this.tenants.findIdBySlug(slug);
  }

  archive(actorId: UserId, id: TenantId): Promise<Tenant> {
    return this.setArchived(actorId, id, true);
  }

  restore(actorId: UserId, id: TenantId): Promise<Tenant> {
    return this.setArchived(actorId, id, false);
  }

  private async setArchived(actorId: UserId, id: TenantId, archived: boolean): Promise<Tenant> {
    const tenant = (await this.tenants.setArchived(id, archived)) ?? AppError.notFound();
    await this.changes.record(archived ? 'archived' : 'restored', actorId, id);
    return tenant;
  }

  private record(actorId: UserId, tenantId: TenantId, what: string): Promise<void> {
    const subject = `iam/tenants/${tenantId}`;
    return this.audit.record({ actorId, tenantId, action: `tenant.${what}`, subject });
  }
}
