import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Cleanup } from '../../../../platform/cleanup/index.js';
import { Database } from '../../../../platform/database/index.js';
import { Lifecycle } from '../../../../platform/lifecycle/index.js';
import type { TenantId } from '../../../../kernel/index.js';
import { AuditTrail } from '../../../audit/audit-trail.js';
import { MemberRepository } from '../../members/member.repository.js';
import { MembershipDirectory } from '../../members/membership-directory.js';
import { TenantLock } from '../tenant-lock.js';
import { TenantDeletionRepository } from './tenant-deletion.repository.js';

/** Members removed in one transaction: few, because it locks their sessions. */
const MEMBERS = 20;
/** Rows of a table removed in one transaction. */
const ROWS = 100;
/** Organizations of one run. */
const MAX_DUE = 100;
/** Maximum duration of one call, so that other cleanups have their turn. */
const TURN_MS = 5_000;
/** Pause after a batch, as a multiple of its duration. */
const REST = 1;

type Progress = 'done' | 'more';

/**
 * Deletes organizations that are due, in small transactions. The start is a row of its own: a
 * process that is killed leaves a started deletion, which the next run continues.
 */
@Injectable()
export class TenantDeletionCleanup implements OnModuleDestroy {
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly deletions: TenantDeletionRepository,
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly tenantLock: TenantLock,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
  ) {}

  onModuleDestroy(): void {
    this.stopping = true;
  }

  /**
   * Deletes for one turn. An organization that fails does not stop the others.
   * @returns whether organizations are left because the time was over
   */
  @Cleanup()
  async deleteDue(): Promise<boolean> {
    const until = performance.now() + TURN_MS;
    const failures: unknown[] = [];
    let progress: Progress = 'done';
    for (const id of await this.deletions.listDue(MAX_DUE)) {
      progress = await this.deleteTenant(id, until).catch((error: unknown) => {
        failures.push(error);
        return 'done';
      });
      if (progress === 'more') break;
    }
    if (failures.length > 0) throw failures[0];
    return progress === 'more' && !this.stopping;
  }

  private async deleteTenant(id: TenantId, until: number): Promise<Progress> {
    for (;;) {
      const began = performance.now();
      if (this.stopping || began > until) return 'more';
      if ((await this.database.transaction(() => this.deleteBatch(id))) === 'done') return 'done';
      await sleep((performance.now() - began) * REST);
    }
  }

  /** Locks in the documented order: tenant, its rows, sessions, grants. */
  private async deleteBatch(id: TenantId): Promise<Progress> {
    await this.tenantLock.lockForUpdate(id);
    const requestedBy = await this.deletions.start(id);
    if (requestedBy === null) return 'done';
    await this.directory.announceTenants(id);
    if (await this.removeMembers(id)) return 'more';
    if (await this.removeRows(id)) return 'more';
    await this.deletions.delete(id);
    // Of no tenant: the proof of the deletion outlives it.
    await this.audit.record({
      actorId: requestedBy,
      action: 'tenant.deleted',
      subject: `iam/tenants/${id}`,
    });
    return 'done';
  }

  /** @returns whether there were members */
  private async removeMembers(tenantId: TenantId): Promise<boolean> {
    const userIds = await this.deletions.listMembers(tenantId, MEMBERS);
    for (const userId of userIds) {
      await this.members.remove([tenantId], userId);
      await this.lifecycle.emit('memberships.ended', { userId, tenantIds: [tenantId] });
    }
    await this.directory.announceMemberships(...userIds.map((userId) => ({ tenantId, userId })));
    return userIds.length > 0;
  }

  /** @returns whether rows may be left, here or in another module */
  private async removeRows(tenantId: TenantId): Promise<boolean> {
    let more = await this.deletions.deleteRows(tenantId, ROWS);
    const repeat = () => void (more = true);
    await this.lifecycle.emit('tenant.deleting', { tenantId, batch: ROWS, repeat });
    return more;
  }
}
