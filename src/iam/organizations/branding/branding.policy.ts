import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permissions on the branding of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'branding', collection: 'brandings' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update')
export class BrandingPolicy extends OwnTenantPolicy {}
