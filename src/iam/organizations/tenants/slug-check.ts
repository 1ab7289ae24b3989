import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { ServiceNames } from '../branding/service-names.js';
import { RetiredSlugRepository } from './retired-slug.repository.js';
import { isReservedSlug } from './slug.js';
import type { Tenant } from './tenant.entity.js';
import { TenantRepository } from './tenant.repository.js';

/** Decides which slugs an organization can have. */
@Injectable()
export class SlugCheck {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly retired: RetiredSlugRepository,
    private readonly serviceNames: ServiceNames,
  ) {}

  /** @throws {AppError} validation-error for a slug that would pass for the service */
  requireAllowed(slug: string | null | undefined): void {
    if (slug != null && (isReservedSlug(slug) || this.serviceNames.resemble(slug)))
      throw AppError.violation('slug', { id: 'tenant.slug-reserved' });
  }

  /**
   * Call it once the slug is written: a transaction that gives it up has committed then.
   * @throws {AppError} conflict if another organization had the slug, also one that was deleted
   */
  async requireNotFormer({ id, slug }: Tenant): Promise<void> {
    if (slug === null) return;
    // In this order: a deletion that commits in between has made a former slug a retired one.
    if ((await this.tenants.isFormerOfOther(id, slug)) || (await this.retired.isRetired(slug)))
      throw slugTaken();
  }
}

/** @throws {AppError} conflict for the unique violation of a slug */
export async function orTaken<T>(statement: Promise<T>): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw slugTaken();
  }
}

const slugTaken = (): AppError => new AppError('conflict', { reason: { id: 'tenant.slug-taken' } });
