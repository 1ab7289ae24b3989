import { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from '../../ability/index.js';
import type { Principal } from '../../platform/http/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLock } from './tenant-lock.js';
import type { TenantState } from './tenant.js';

/** What may be done with an organization. */
@AbilityPolicy({ module: 'iam', entity: 'tenant', collection: 'tenants' })
export class TenantPolicy implements EntityPolicy<TenantState> {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly tenantLock: TenantLock,
  ) {}

  /** The selected tenant and no other. Under a lock it is held already: {@link lock} came first. */
  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, TenantState>> {
    const { tenantId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const state = await this.directory.stateOf(tenantId, lock);
    return new Map(state ? [[tenantId, state]] : []);
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
  archive({ archived }: TenantState): true | string {
    return !archived || 'The organization is archived already.';
  }

  @Scope('restore', { whenClosed: true, roles: [] })
  restore({ archived }: TenantState): true | string {
    return archived || 'The organization is not archived.';
  }
}
