import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { TenantLock } from '../../iam/index.js';
import { type Principal, SENSITIVE } from '../../kernel/index.js';
import type { JudgedOwner } from '../accounts/service-account.policy.js';
import { CredentialRepository } from './credential.repository.js';
import '../machine.messages.js';

/** Permissions on the credentials of service accounts. */
@AbilityPolicy({ module: 'iam', entity: 'api-key', collection: 'api-keys' })
export class ApiKeyPolicy implements EntityPolicy<{ readonly id: string }> {
  constructor(
    private readonly credentials: CredentialRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, { readonly id: string }>> {
    return this.credentials.loadKeysByIds(ids, context);
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'service-accounts' })
  read(): true {
    return true;
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
