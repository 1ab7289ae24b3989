import { AbilityPolicy, type EntityPolicy, type LoadContext, Scope } from '../../ability/index.js';
import { MembershipDirectory, TenantLock } from '../../iam/index.js';
import { type Principal, SENSITIVE, type TenantId } from '../../kernel/index.js';
import '../machine.messages.js';

/** Permissions on the key policy of an organization, which has the id of the organization. */
@AbilityPolicy({
  module: 'iam',
  entity: 'key-policy',
  collection: 'key-policies',
  title: 'scope.key-policy',
})
export class KeyPolicyPolicy implements EntityPolicy<TenantId> {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly tenantLock: TenantLock,
  ) {}

  /** Loads the policy of the selected tenant and of no other. */
  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, TenantId>> {
    const { tenantId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const state = await this.directory.findState(tenantId, lock);
    return new Map(state?.deletionStarted === false ? [[tenantId, tenantId]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { title: 'scope.key-policy.read', allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('update', {
    title: 'scope.key-policy.update',
    description: 'scope.key-policy.update.description',
    ...SENSITIVE,
  })
  update(): true {
    return true;
  }
}
