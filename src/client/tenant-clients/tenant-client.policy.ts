import { AbilityPolicy, Scope } from '../../ability/index.js';
import { OwnTenantPolicy } from '../../iam/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import '../client.messages.js';

const BY_APP = { firstParty: true, ...SENSITIVE } as const;

/**
 * Permissions on the clients of an organization, all judged by the id of the organization. A client
 * receives the sign-ins of members: changes are reserved for the first-party app and need a recent
 * sign-in.
 */
@AbilityPolicy({ module: 'iam', entity: 'client', collection: 'client-registries' })
@Scope('read', { allowedWhenArchived: true })
@Scope('create', { ...BY_APP })
@Scope('update', { ...BY_APP })
@Scope('rotate-secret', { ...BY_APP })
@Scope('delete', { ...BY_APP })
export class TenantClientPolicy extends OwnTenantPolicy {}
