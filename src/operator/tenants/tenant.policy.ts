import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import { OPERATING } from '../../kernel/index.js';
import '../operator.messages.js';
import { type OperatedTenant, OperatedTenantRepository } from './tenant.repository.js';

const byAdmins = { audience: 'operator', platformAccounts: true, ...OPERATING } as const;

/** Decides what operators may do with organizations, whether or not they are members. */
@AbilityPolicy({
  module: 'platform',
  entity: 'tenant',
  collection: 'organizations',
  title: 'scope.operated-tenant',
})
export class OperatedTenantPolicy implements EntityPolicy<OperatedTenant> {
  constructor(private readonly tenants: OperatedTenantRepository) {}

  async load(ids: readonly string[], { lock }: LoadContext): Promise<Map<string, OperatedTenant>> {
    const found = await this.tenants.findJudged(ids, lock);
    return new Map(found.map((tenant) => [tenant.id, tenant]));
  }

  @Scope('read', { title: 'scope.operated-tenant.read', ...byAdmins, operators: 'support' })
  read(): true {
    return true;
  }

  @Scope('export', { title: 'scope.operated-tenant.export', ...byAdmins })
  export(): true {
    return true;
  }

  @Scope('limit', { title: 'scope.operated-tenant.limit', ...byAdmins })
  limit(): true {
    return true;
  }

  @Scope('archive', { title: 'scope.operated-tenant.archive', ...byAdmins })
  archive({ isArchived }: OperatedTenant): true | Refusal {
    return !isArchived || forbid('tenant.archived-already');
  }

  @Scope('restore', { title: 'scope.operated-tenant.restore', ...byAdmins })
  restore({ isArchived }: OperatedTenant): true | Refusal {
    return isArchived || forbid('tenant.not-archived');
  }
}
