import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { TenantLockedPolicy } from '../../iam/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import type { JudgedOwner } from '../accounts/service-account.policy.js';
import { CredentialRepository } from './credential.repository.js';
import '../machine.messages.js';

/** Permissions on the credentials of service accounts. */
@AbilityPolicy({ module: 'iam', entity: 'api-key', collection: 'api-keys' })
@Scope('read', { allowedWhenArchived: true, on: 'service-accounts' })
export class ApiKeyPolicy extends TenantLockedPolicy implements EntityPolicy<{ readonly id: string }> {
  constructor(private readonly credentials: CredentialRepository) {
    super();
  }

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, { readonly id: string }>> {
    return this.credentials.loadKeysByIds(ids, context);
  }

  /** A key acts with the roles of its account: making one gives them to its holder. */
  @Scope('create', { on: 'service-accounts', firstParty: true, ...SENSITIVE })
  create({ exceedsCaller }: JudgedOwner): true | Refusal {
    return !exceedsCaller || forbid('service-account.exceeds-caller');
  }

  /** Allowed whatever the roles, and by any sign-in: it stops a stolen key. */
  @Scope('revoke', { impersonation: false })
  revoke(): true {
    return true;
  }
}
