import { Inject, Injectable } from '@nestjs/common';
import { MAX_COUNTED } from '../../../../platform/api/index.js';
import { type Settings, SETTINGS } from '../../../../platform/config/index.js';
import { AppError } from '../../../../platform/errors/index.js';
import { Lifecycle } from '../../../../platform/lifecycle/index.js';
import type { TenantId, UserId } from '../../../../kernel/index.js';
import { TenantStateChanges } from '../tenant-state-changes.js';
import { TenantRepository } from '../tenant.repository.js';
import { TenantDeletionMails } from './tenant-deletion-mails.js';
import { type Schedule, TenantDeletionRepository } from './tenant-deletion.repository.js';

/** Deletion of an organization: its schedule, and what it removes. */
export interface TenantDeletion extends Schedule {
  readonly delaySeconds: number;
  /** Counted up to {@link MAX_COUNTED}. */
  readonly contents: { readonly kind: string; readonly count: number }[];
}

/** Schedules and cancels deletions. The caller has checked the permission before. */
@Injectable()
export class TenantDeletionService {
  constructor(
    private readonly deletions: TenantDeletionRepository,
    private readonly tenants: TenantRepository,
    private readonly changes: TenantStateChanges,
    private readonly lifecycle: Lifecycle,
    private readonly mails: TenantDeletionMails,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** @throws {AppError} not-found for an unknown organization */
  async get(id: TenantId): Promise<TenantDeletion> {
    const schedule = (await this.deletions.find(id)) ?? AppError.notFound();
    return this.withContents(id, schedule);
  }

  /**
   * Schedules the deletion and tells the owners.
   * @param name the name of the organization, by which the caller confirms
   * @throws {AppError} validation-error on `name` if it is another one
   */
  async schedule(actorId: UserId, id: TenantId, name: string): Promise<TenantDeletion> {
    const tenant = (await this.tenants.find(id)) ?? AppError.notFound();
    if (tenant.name !== name) throw AppError.violation('name', { id: 'tenant.name-differs' });
    const schedule = await this.deletions.schedule(id, actorId, this.settings.TENANT_DELETION_DELAY);
    await this.changes.record('deletion-scheduled', actorId, id);
    await this.mails.tellOwners(id);
    return this.withContents(id, schedule);
  }

  async cancel(actorId: UserId, id: TenantId): Promise<void> {
    await this.deletions.cancel(id);
    await this.changes.record('deletion-cancelled', actorId, id);
  }

  private async withContents(id: TenantId, schedule: Schedule): Promise<TenantDeletion> {
    const contents = await this.deletions.count(id, MAX_COUNTED);
    const report = (kind: string, count: number) => {
      contents.push({ kind, count });
    };
    await this.lifecycle.emit('tenant.deletion-previewed', { tenantId: id, report });
    return {
      ...schedule,
      delaySeconds: this.settings.TENANT_DELETION_DELAY,
      contents: contents.map(({ kind, count }) => ({ kind, count: Math.min(count, MAX_COUNTED) })),
    };
  }
}
