import { AbilityPolicy, Scope } from '../../ability/index.js';
import { OwnTenantPolicy } from '../../iam/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import '../machine.messages.js';

/** Permissions on the key policy of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'key-policy', collection: 'key-policies' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update', { ...SENSITIVE })
export class KeyPolicyPolicy extends OwnTenantPolicy {}
