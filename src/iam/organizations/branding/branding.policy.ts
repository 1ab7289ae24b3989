import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import type { TenantState } from '../tenants/tenant.js';
import '../organization.messages.js';

/** Permissions on the branding of an organization, which has the id of the organization. */
@AbilityPolicy({
  module: 'iam',
  entity: 'branding',
  collection: 'brandings',
  title: 'scope.branding',
})
export class BrandingPolicy implements EntityPolicy<TenantState> {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly tenantLock: TenantLock,
  ) {}

  /** Loads the branding of the selected tenant and of no other. */
  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, TenantState>> {
    const { tenantId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const state = await this.directory.findState(tenantId, lock);
    return new Map(state?.deletionStarted === false ? [[tenantId, state]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { title: 'scope.branding.read', allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('update', { title: 'scope.branding.update', description: 'scope.branding.update.description' })
  update(): true {
    return true;
  }
}
