import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../../ability/index.js';
import { type Principal, SENSITIVE } from '../../../kernel/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import type { TenantState } from '../tenants/tenant.js';
import '../organization.messages.js';

/** Permissions on the sign-in policy of an organization, which has the id of the organization. */
@AbilityPolicy({
  module: 'iam',
  entity: 'sign-in-policy',
  collection: 'sign-in-policies',
  title: 'scope.sign-in-policy',
})
export class SignInPolicyPolicy implements EntityPolicy<TenantState> {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly tenantLock: TenantLock,
  ) {}

  /** Loads the policy of the selected tenant and of no other. */
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

  @Scope('read', {
    title: 'scope.sign-in-policy.read',
    description: 'scope.sign-in-policy.read.description',
    allowedWhenArchived: true,
  })
  read(): true {
    return true;
  }

  @Scope('update', {
    title: 'scope.sign-in-policy.update',
    description: 'scope.sign-in-policy.update.description',
    ...SENSITIVE,
  })
  update(): true {
    return true;
  }
}
