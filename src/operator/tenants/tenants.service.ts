import { Injectable } from '@nestjs/common';
import { AuditTrail, type Tenant, type TenantLimits, TenantLimitsService } from '../../iam/index.js';
import { domainOf, isUlid, type TenantId, type UserId } from '../../kernel/index.js';
import type { Page } from '../../platform/api/index.js';
import { isSearchedAnywhere } from '../../platform/database/index.js';
import { AppError } from '../../platform/errors/index.js';
import { MAX_EXPORTED, TenantExportRepository, type TenantPart } from './tenant-export.repository.js';
import { OperatedTenantRepository, type TenantPage } from './tenant.repository.js';

/** Finds and reads organizations for operators, whose trail says so. */
@Injectable()
export class OperatedTenants {
  constructor(
    private readonly repository: OperatedTenantRepository,
    private readonly exports: TenantExportRepository,
    private readonly limits: TenantLimitsService,
    private readonly audit: AuditTrail,
  ) {}

  /** Searches for an operator, whose trail says so: {@link search}. */
  async list(callerId: UserId, query: string, page: Page): Promise<Tenant[]> {
    await this.audit.record({ actorId: callerId, action: 'operator.organizations-searched' });
    return this.search(query, page);
  }

  /**
   * Lists the organization of an id or a verified domain, and those with the query anywhere in
   * name or slug ({@link isSearchedAnywhere}) or at the beginning of the name; all without a query.
   * @returns one more than `page.limit` if there are more
   * @throws {AppError} validation-error on `cursor` if the organization that it names was deleted,
   *   in the order of names
   */
  async search(query: string, page: Page): Promise<Tenant[]> {
    const isId: boolean = isUlid(query);
    if (isId) {
      const tenant = page.after === null ? await this.repository.find(query) : null;
      return tenant ? [tenant] : [];
    }
    if (query === '') return this.repository.listAll(page);
    if (isSearchedAnywhere(query)) return this.repository.listByPart(query, domainOf(query), page);
    const found = await this.repository.listByName(query, page);
    if (!found) throw AppError.violation('cursor', 'names a deleted organization; start without it');
    return found;
  }

  /** @throws {AppError} not-found if it does not exist, or is being deleted */
  async get(callerId: UserId, id: string): Promise<TenantPage & { readonly limits: TenantLimits }> {
    const tenant = (await this.repository.find(id)) ?? AppError.notFound();
    const subject = `iam/tenants/${id}`;
    await this.audit.record({ actorId: callerId, action: 'operator.organization-read', subject });
    return { ...tenant, limits: await this.limits.get(tenant.id) };
  }

  /** Reads what is kept about an organization. Its trail says so: the export has its members. */
  async export(callerId: UserId, id: string, stop: AbortSignal): Promise<TenantPart[]> {
    await this.audit.record({
      actorId: callerId,
      tenantId: id as TenantId,
      action: 'operator.organization-exported',
      subject: `iam/tenants/${id}`,
    });
    return this.exports.readParts(id, [], MAX_EXPORTED, stop);
  }
}
