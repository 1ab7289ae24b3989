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
import { TrustRuleRepository } from './trust-rule.repository.js';
import '../machine.messages.js';

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
