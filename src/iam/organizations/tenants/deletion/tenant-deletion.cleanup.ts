import { Injectable } from '@nestjs/common';
import { Cleanup } from '../../../../platform/cleanup/index.js';
import { Database, turnEnd } from '../../../../platform/database/index.js';
import { Lifecycle } from '../../../../platform/lifecycle/index.js';
import type { TenantId } from '../../../../kernel/index.js';
import { AuditTrail } from '../../../audit/audit-trail.js';
import { MemberRepository } from '../../members/member.repository.js';
import { AccessCache } from '../../members/access-cache.js';
import { RetiredSlugRepository } from '../retired-slug.repository.js';
import { TenantLock } from '../tenant-lock.js';
import { TenantDeletionRepository } from './tenant-deletion.repository.js';

/** Members removed in one transaction: few, because it locks their sessions. */
const MEMBERS = 20;
/** Rows of a table removed in one transaction. */
const ROWS = 100;
/** Organizations of one run. */
const MAX_DUE = 100;

/**
 * Deletes organizations that are due, in small transactions. The start is a separate row: a
 * process that is killed leaves a started deletion, which the next run continues.
 */
@Injectable()
export class TenantDeletionCleanup {
  constructor(
    private readonly database: Database,
    private readonly deletions: TenantDeletionRepository,
    private readonly members: MemberRepository,
    private readonly cache: AccessCache,
    private readonly tenantLock: TenantLock,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
    private readonly slugs: RetiredSlugRepository,
  ) {}

  /**
   * Deletes for one turn. An organization that fails does not stop the others.
   * @returns whether organizations are left because the time was over
   */
  @Cleanup()
  async deleteDue(): Promise<boolean> {
    const end = turnEnd();
    const failures: unknown[] = [];
    let more = false;
    for (const id of await this.deletions.listDue(MAX_DUE)) {
      more = await this.database
        .repeatUntil(end, () => this.database.transaction(() => this.deleteBatch(id)))
        .catch((error: unknown) => {
          failures.push(error);
          return false;
        });
      if (more) break;
    }
    if (failures.length > 0) throw failures[0];
    return more;
  }

  /**
   * Locks in the documented order: tenant, its rows, sessions, grants.
   * @returns whether rows may be left
   */
  private async deleteBatch(id: TenantId): Promise<boolean> {
    const requestedBy = await this.deletions.start(await this.tenantLock.lockForUpdate(id));
    if (requestedBy === null) return false;
    await this.cache.announceTenants(id);
    if ((await this.removeMembers(id)) || (await this.removeRows(id))) return true;
    await this.slugs.retire([id]);
    await this.deletions.delete(id);
    await this.lifecycle.emit('tenant.deleted', { tenantId: id });
    // Of no tenant: the proof of the deletion outlives it.
    await this.audit.record({
      actorId: requestedBy,
      action: 'tenant.deleted',
      subject: `iam/tenants/${id}`,
    });
    return false;
  }

  /** @returns whether there were members */
  private async removeMembers(tenantId: TenantId): Promise<boolean> {
    const userIds = await this.deletions.listMembers(tenantId, MEMBERS);
    for (const userId of userIds) {
      await this.members.remove([tenantId], userId);
      await this.lifecycle.emit('memberships.ended', { userId, tenantIds: [tenantId] });
    }
    await this.cache.announceMemberships(...userIds.map((userId) => ({ tenantId, userId })));
    return userIds.length > 0;
  }

  /** @returns whether rows may be left, here or in another module */
  private async removeRows(tenantId: TenantId): Promise<boolean> {
    let more = await this.deletions.deleteRows(tenantId, ROWS);
    const repeat = () => {
      more = true;
    };
    await this.lifecycle.emit('tenant.deleting', { tenantId, batch: ROWS, repeat });
    return more;
  }
}
