import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { SENSITIVE } from '../../../kernel/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permissions on the sign-in policy of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'sign-in-policy', collection: 'sign-in-policies' })
export class SignInPolicyPolicy extends OwnTenantPolicy {
  @Scope('read', { allowedWhenArchived: true })
  read(): true {
    return true;
  }

  @Scope('update', { ...SENSITIVE })
  update(): true {
    return true;
  }
}
