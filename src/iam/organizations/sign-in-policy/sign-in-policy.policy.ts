import { AbilityPolicy, Scope } from '../../../ability/index.js';
import { SENSITIVE } from '../../../kernel/index.js';
import { OwnTenantPolicy } from '../tenants/own-tenant-policy.js';
import '../organization.messages.js';

/** Permissions on the sign-in policy of an organization, which has the id of the organization. */
@AbilityPolicy({
  module: 'iam',
  entity: 'sign-in-policy',
  collection: 'sign-in-policies',
  title: 'scope.sign-in-policy',
})
export class SignInPolicyPolicy extends OwnTenantPolicy {
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
