import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permissions on the registered things of an organization, which together have its id. */
@AbilityPolicy({ module: 'access', entity: 'thing', collection: 'things', title: 'scope.thing' })
export class ThingPolicy extends OwnTenantPolicy {
  /** Changes of things have their own lock: members and roles do not wait for them. */
  override lock(): Promise<void> {
    return Promise.resolve();
  }

  @Scope('read', {
    title: 'scope.thing.read',
    description: 'scope.thing.read.description',
    allowedWhenArchived: true,
  })
  read(): true {
    return true;
  }

  @Scope('update', {
    title: 'scope.thing.update',
    description: 'scope.thing.update.description',
    impersonation: false,
  })
  update(): true {
    return true;
  }
}
