import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { SENSITIVE } from '../../../kernel/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permissions on the sign-in policy of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'sign-in-policy', collection: 'sign-in-policies' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update', { ...SENSITIVE })
export class SignInPolicyPolicy extends OwnTenantPolicy {}
