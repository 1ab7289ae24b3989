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
import { TrustRuleRepository } from './trust-rule.repository.js';
import '../machine.messages.js';

/** Permissions on the rules by which service accounts trust tokens of other issuers. */
@AbilityPolicy({ module: 'iam', entity: 'trust-rule', collection: 'trust-rules' })
export class TrustRulePolicy implements EntityPolicy<{ readonly id: string }> {
  constructor(
    private readonly rules: TrustRuleRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, { readonly id: string }>> {
    return this.rules.loadByIds(ids, context);
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'service-accounts' })
  read(): true {
    return true;
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
