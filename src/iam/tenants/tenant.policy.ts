import { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from '../../ability/index.js';
import type { Principal } from '../../platform/http/index.js';
import { TenantLock } from './tenant-lock.js';
import { TenantRepository, type JudgedTenant } from './tenant.repository.js';

/** What may be done with an organization. */
@AbilityPolicy({ module: 'iam', entity: 'tenant', collection: 'tenants' })
export class TenantPolicy implements EntityPolicy<JudgedTenant> {
  constructor(
    private readonly tenants: TenantRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  /** The selected tenant and no other. Under a lock it is held already: {@link lock} came first. */
  async load(ids: readonly string[], { principal }: LoadContext): Promise<Map<string, JudgedTenant>> {
    const { tenantId, userId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const tenant = await this.tenants.findJudged(tenantId, userId);
    return new Map(tenant ? [[tenantId, tenant]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.take(principal);
  }

  @Scope('read', { whenClosed: true, roles: ['admin', 'member'] })
  read(): true {
    return true;
  }

  @Scope('update')
  update(): true {
    return true;
  }

  @Scope('archive', { whenClosed: true, roles: [] })
  archive({ archivedAt }: JudgedTenant): true | string {
    return archivedAt === null || 'The organization is archived already.';
  }

  @Scope('restore', { whenClosed: true, roles: [] })
  restore({ archivedAt }: JudgedTenant): true | string {
    return archivedAt !== null || 'The organization is not archived.';
  }

  @Scope('leave', { whenClosed: true, roles: ['admin', 'member'] })
  leave({ callerIsLastOwner }: JudgedTenant): true | string {
    return !callerIsLastOwner || 'The last owner cannot leave. Make somebody else an owner first.';
  }
}
