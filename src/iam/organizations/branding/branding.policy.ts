import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permissions on the branding of an organization, which has the id of the organization. */
@AbilityPolicy({
  module: 'iam',
  entity: 'branding',
  collection: 'brandings',
  title: 'scope.branding',
})
export class BrandingPolicy extends OwnTenantPolicy {
  @Scope('read', { title: 'scope.branding.read', allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('update', { title: 'scope.branding.update', description: 'scope.branding.update.description' })
  update(): true {
    return true;
  }
}
