import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../../ability/index.js';
import { TenantLockedPolicy } from '../tenants/tenant-lock.js';
import { OfferValidity } from './offer-validity.js';
import { type JudgedOffer, PartnershipRepository } from './partnership.repository.js';
import '../organization.messages.js';

/** Permissions of a host on its partnerships. */
@AbilityPolicy({ module: 'iam', entity: 'partnership', collection: 'partnerships' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', impersonation: false })
export class PartnershipPolicy extends TenantLockedPolicy implements EntityPolicy<JudgedOffer> {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly validity: OfferValidity,
  ) {
    super();
  }

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedOffer>> {
    const { tenantId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.partnerships.findJudgedOfHost(tenantId, ids, lock);
    return new Map((await this.validity.settle(found, lock)).map((one) => [one.id, one]));
  }

  @Scope('update', { impersonation: false })
  update({ status }: JudgedOffer): true | Refusal {
    return status === 'offered' || status === 'active' || forbid('partnership.over');
  }

  @Scope('end', { impersonation: false })
  end(): true {
    return true;
  }
}
