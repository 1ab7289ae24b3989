import {
  AbilityPolicy,
  CallerScopes,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { MembershipDirectory, OwnTenantPolicy, TenantLockedPolicy } from '../../iam/index.js';
import { SENSITIVE } from '../../kernel/index.js';
import { CredentialRepository } from '../keys/credential.repository.js';
import { TrustRuleRepository } from '../trust/trust-rule.repository.js';
import { type LiveServiceAccount, ServiceAccountRepository } from './service-account.repository.js';
import '../machine.messages.js';

/** Service account, with what the decision needs to know of the caller. */
export interface JudgedOwner extends LiveServiceAccount {
  /** Whether its roles hold a scope that the caller does not. */
  readonly exceedsCaller: boolean;
}

/** Permissions on the service accounts of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'service-account', collection: 'service-accounts' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', impersonation: false })
export class ServiceAccountPolicy extends TenantLockedPolicy implements EntityPolicy<JudgedOwner> {
  constructor(
    private readonly accounts: ServiceAccountRepository,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
  ) {
    super();
  }

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedOwner>> {
    if (principal.tenantId === null) return new Map();
    const found = await this.accounts.findJudged(principal.tenantId, ids, lock);
    const scopesOf = await this.directory.getScopesOfRoles(principal.tenantId, lock);
    const holds = await this.callers.findCallerScopes(principal, lock);
    return new Map(
      found.map((account) => {
        const exceedsCaller = [...scopesOf(account.roleIds)].some((scope) => holds?.(scope) !== true);
        return [account.id, { ...account, exceedsCaller }];
      }),
    );
  }

  @Scope('update', { impersonation: false })
  update({ exceedsCaller }: JudgedOwner): true | Refusal {
    return !exceedsCaller || forbid('service-account.exceeds-caller');
  }

  @Scope('delete', { impersonation: false })
  delete({ exceedsCaller }: JudgedOwner): true | Refusal {
    return !exceedsCaller || forbid('service-account.exceeds-caller');
  }

  /** Allowed whatever the roles: it stops a stolen key. */
  @Scope('disable', { impersonation: false })
  disable({ status }: JudgedOwner): true | Refusal {
    return status === 'active' || forbid('service-account.disabled-already');
  }

  @Scope('enable', { impersonation: false })
  enable({ status, exceedsCaller }: JudgedOwner): true | Refusal {
    if (status === 'active') return forbid('service-account.not-disabled');
    return !exceedsCaller || forbid('service-account.exceeds-caller');
  }
}

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

/** Permissions on the rules by which service accounts trust tokens of other issuers. */
@AbilityPolicy({ module: 'iam', entity: 'trust-rule', collection: 'trust-rules' })
@Scope('read', { allowedWhenArchived: true, on: 'service-accounts' })
export class TrustRulePolicy extends TenantLockedPolicy implements EntityPolicy<{ readonly id: string }> {
  constructor(private readonly rules: TrustRuleRepository) {
    super();
  }

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, { readonly id: string }>> {
    return this.rules.loadByIds(ids, context);
  }

  /** A workload that is trusted acts with the roles of the account. */
  @Scope('create', { on: 'service-accounts', firstParty: true, ...SENSITIVE })
  create({ exceedsCaller }: JudgedOwner): true | Refusal {
    return !exceedsCaller || forbid('service-account.exceeds-caller');
  }

  @Scope('delete', { impersonation: false })
  delete(): true {
    return true;
  }
}

/** Permissions on the key policy of an organization, which has the id of the organization. */
@AbilityPolicy({ module: 'iam', entity: 'key-policy', collection: 'key-policies' })
@Scope('read', { allowedWhenArchived: true })
@Scope('update', { ...SENSITIVE })
export class KeyPolicyPolicy extends OwnTenantPolicy {}
