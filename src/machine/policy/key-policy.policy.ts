import { AbilityPolicy, Scope } from '../../ability/index.js';
import { OwnTenantPolicy } from '../../iam/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import '../machine.messages.js';

/** Permissions on the key policy of an organization, which has the id of the organization. */
@AbilityPolicy({
  module: 'iam',
  entity: 'key-policy',
  collection: 'key-policies',
  title: 'scope.key-policy',
})
export class KeyPolicyPolicy extends OwnTenantPolicy {
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
