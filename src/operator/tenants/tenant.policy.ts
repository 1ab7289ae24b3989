import {
  AbilityPolicy,
  BY_ADMINS,
  BY_SUPPORT,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../ability/index.js';
import '../operator.messages.js';
import { type OperatedTenant, OperatedTenantRepository } from './tenant.repository.js';

/** Decides what operators may do with organizations, whether or not they are members. */
@AbilityPolicy({
  module: 'platform',
  entity: 'tenant',
  collection: 'organizations',
  title: 'scope.operated-tenant',
})
@Scope('read', { ...BY_SUPPORT })
@Scope('export', { ...BY_ADMINS })
@Scope('limit', { ...BY_ADMINS })
export class OperatedTenantPolicy implements EntityPolicy<OperatedTenant> {
  constructor(private readonly tenants: OperatedTenantRepository) {}

  async load(ids: readonly string[], { lock }: LoadContext): Promise<Map<string, OperatedTenant>> {
    const found = await this.tenants.findJudged(ids, lock);
    return new Map(found.map((tenant) => [tenant.id, tenant]));
  }

  @Scope('archive', { ...BY_ADMINS })
  archive({ isArchived }: OperatedTenant): true | Refusal {
    return !isArchived || forbid('tenant.archived-already');
  }

  @Scope('restore', { ...BY_ADMINS })
  restore({ isArchived }: OperatedTenant): true | Refusal {
    return isArchived || forbid('tenant.not-archived');
  }
}
