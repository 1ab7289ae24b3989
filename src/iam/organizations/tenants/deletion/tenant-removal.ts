import { Injectable } from '@nestjs/common';
import { Lifecycle } from '../../../../platform/lifecycle/index.js';
import type { Locked, TenantId } from '../../../../kernel/index.js';
import { AuditTrail } from '../../../audit/audit-trail.js';
import { AccessCache } from '../../members/access-cache.js';
import { MemberChanges } from '../../members/member-changes.js';
import { RetiredSlugRepository } from '../retired-slug.repository.js';
import { TenantDeletionRepository } from './tenant-deletion.repository.js';

/** Members removed in one transaction: few, because it locks their sessions. */
const MEMBERS = 20;
/** Rows of a table removed in one transaction. */
const ROWS = 100;
/** Removes an organization in small batches, each in one transaction under its lock. */
@Injectable()
export class TenantRemoval {
  constructor(
    private readonly deletions: TenantDeletionRepository,
    private readonly members: MemberChanges,
    private readonly cache: AccessCache,
    private readonly lifecycle: Lifecycle,
    private readonly audit: AuditTrail,
    private readonly slugs: RetiredSlugRepository,
  ) {}

  /**
   * Removes a batch of an organization whose deletion is due, and the organization after the last.
   * Locks in the documented order: tenant, its rows, sessions, grants.
   * @returns whether rows may be left
   */
  async removeBatch(id: Locked<TenantId>): Promise<boolean> {
    const requestedBy = await this.deletions.start(id);
    if (requestedBy === null) return false;
    await this.cache.announceTenants(id);
    if ((await this.removeMembers(id)) || (await this.removeRows(id))) return true;
    await this.slugs.retire([id]);
    await this.deletions.delete(id);
    await this.lifecycle.emit('tenant.deleted', { tenantId: id });
    // Of no tenant: the proof of the deletion outlives it.
    const subject = `iam/tenants/${id}`;
    await this.audit.record({ actorId: requestedBy, action: 'tenant.deleted', subject });
    return false;
  }

  /** @returns whether there were members */
  private async removeMembers(tenantId: Locked<TenantId>): Promise<boolean> {
    const userIds = await this.deletions.listMembers(tenantId, MEMBERS);
    await this.members.removeForDeletion(tenantId, userIds);
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
