import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permissions on the registered things of an organization, which together have its id. */
@AbilityPolicy({ module: 'access', entity: 'thing', collection: 'things' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update', { impersonation: false })
export class ThingPolicy extends OwnTenantPolicy {
  /** Changes of things have their own lock: members and roles do not wait for them. */
  override lock(): Promise<void> {
    return Promise.resolve();
  }
}
