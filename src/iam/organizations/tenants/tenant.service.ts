import { Inject, Injectable } from '@nestjs/common';
import { DailyBudgets } from '../../../platform/budgets/index.js';
import { type Settings, SETTINGS } from '../../../platform/config/index.js';
import { Database, isUniqueViolation } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { newId, type TenantId, type UserId } from '../../../kernel/index.js';
import type { Page } from '../../../platform/api/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { ServiceNames } from '../branding/service-names.js';
import { MemberRepository } from '../members/member.repository.js';
import { AccessCache } from '../members/access-cache.js';
import { MembershipLimit } from '../members/membership-limit.js';
import { OWNER } from '../roles/role-scopes.js';
import { RoleRepository } from '../roles/role.repository.js';
import { RetiredSlugRepository } from './retired-slug.repository.js';
import { isReservedSlug } from './slug.js';
import type { Tenant, TenantChanges } from './tenant.js';
import { TenantRepository, type MyTenant } from './tenant.repository.js';

/** Manages organizations. The caller has checked the permission before. */
@Injectable()
export class TenantService {
  constructor(
    private readonly database: Database,
    private readonly tenants: TenantRepository,
    private readonly roles: RoleRepository,
    private readonly members: MemberRepository,
    private readonly cache: AccessCache,
    private readonly limit: MembershipLimit,
    private readonly audit: AuditTrail,
    private readonly serviceNames: ServiceNames,
    private readonly retired: RetiredSlugRepository,
    private readonly budgets: DailyBudgets,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /**
   * Creates an organization with the person as its owner.
   * @param name default: the company of the person's account
   * @throws {AppError} validation-error on `name` without either; conflict if the person is a
   *   member of the maximum number of organizations, or another organization has the slug or had
   *   it; too-many-requests beyond `LIMIT_ORGANIZATIONS` of a day
   */
  create(userId: UserId, { name, slug }: { name?: string; slug?: string }): Promise<Tenant> {
    this.requireAllowed(slug);
    return this.database.transaction(async () => {
      const account = await this.limit.lockAccountForUpdate(userId);
      const max = this.settings.LIMIT_ORGANIZATIONS;
      if (!(await this.budgets.take('organizations', userId, max)))
        throw new AppError('too-many-requests', {
          reason: { id: 'tenant.too-many-today', values: { max: max ?? 0 } },
          retryAfterSeconds: this.budgets.secondsUntilTomorrow(),
        });
      const chosen = name ?? account.company;
      if (chosen === null)
        throw AppError.violation('name', 'must be given, as the account has no company to name it after');
      const tenant = await orTaken(this.tenants.insert(newId() as TenantId, chosen, slug ?? null));
      await this.requireNotFormer(tenant);
      await this.roles.insertBuiltIn(tenant.id);
      const owner = await this.roles.findByKeys(tenant.id, [OWNER]);
      await this.members.insert(
        tenant.id,
        userId,
        owner.map(({ id }) => id),
        'manual',
      );
      await this.limit.requireWithinLimit(account.id);
      await this.record(userId, tenant.id, 'created');
      return tenant;
    });
  }

  listMine(userId: UserId, page: Page): Promise<MyTenant[]> {
    return this.tenants.listOf(userId, page);
  }

  /** Finds the names of organizations that exist, by their ids. */
  findNames(ids: readonly TenantId[]): Promise<ReadonlyMap<TenantId, string>> {
    return this.tenants.findNames(ids);
  }

  /** @throws {AppError} not-found for an unknown organization */
  async get(id: TenantId): Promise<Tenant> {
    return (await this.tenants.find(id)) ?? throwNotFound();
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
    this.requireAllowed(slug);
    return this.database.transaction(async () => {
      const tenant = (await orTaken(this.tenants.update(id, changes))) ?? throwNotFound();
      if (slug !== undefined) await this.requireNotFormer(tenant);
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
    const tenant = (await this.tenants.setArchived(id, archived)) ?? throwNotFound();
    await this.record(actorId, id, archived ? 'archived' : 'restored');
    await this.cache.announceTenants(id);
    return tenant;
  }

  /** @throws {AppError} validation-error for a slug that would pass for the service */
  private requireAllowed(slug: string | null | undefined): void {
    if (slug != null && (isReservedSlug(slug) || this.serviceNames.resemble(slug)))
      throw AppError.violation('slug', { id: 'tenant.slug-reserved' });
  }

  /**
   * Call it once the slug is written: a transaction that gives it up has committed then.
   * @throws {AppError} conflict if another organization had the slug, also one that was deleted
   */
  private async requireNotFormer({ id, slug }: Tenant): Promise<void> {
    if (slug === null) return;
    // In this order: a deletion that commits in between has made a former slug a retired one.
    if ((await this.tenants.isFormerOfOther(id, slug)) || (await this.retired.isRetired(slug)))
      throw slugTaken();
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

/** @throws {AppError} conflict for the unique violation of a slug */
async function orTaken<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw slugTaken();
  }
}

const slugTaken = (): AppError => new AppError('conflict', { reason: { id: 'tenant.slug-taken' } });

function throwNotFound(): never {
  throw new AppError('not-found');
}
