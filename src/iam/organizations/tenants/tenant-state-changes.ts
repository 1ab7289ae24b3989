import { Injectable } from '@nestjs/common';
import type { TenantId, UserId } from '../../../kernel/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { AccessCache } from '../members/access-cache.js';

/** What every change of the state of organizations does besides: audit trail and caches. */
@Injectable()
export class TenantStateChanges {
  constructor(
    private readonly audit: AuditTrail,
    private readonly cache: AccessCache,
  ) {}

  /** Records a change of organizations, and invalidates the caches of them. */
  async record(what: string, actorId: UserId, ...tenantIds: TenantId[]): Promise<void> {
    const event = (tenantId: TenantId) => ({
      actorId,
      tenantId,
      action: `tenant.${what}`,
      subject: `iam/tenants/${tenantId}`,
    });
    await this.audit.record(...tenantIds.map(event));
    await this.cache.announceTenants(...tenantIds);
  }
}
