import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permission to ask what members of an organization may do, for its service accounts. */
@AbilityPolicy({ module: 'access', entity: 'decision', collection: 'decisions' })
@Scope('read', { allowedWhenArchived: true })
export class DecisionPolicy extends OwnTenantPolicy {}
