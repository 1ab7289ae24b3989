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
import { OfferedAddress } from './offered-address.js';
import { type JudgedOffer, PartnershipRepository } from './partnership.repository.js';
import '../organization.messages.js';

/** Permissions of a partner on what other organizations offer it. */
@AbilityPolicy({ module: 'iam', entity: 'partner-access', collection: 'partner-accesses' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
export class PartnerAccessPolicy extends TenantLockedPolicy implements EntityPolicy<JudgedOffer> {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly addresses: OfferedAddress,
    private readonly validity: OfferValidity,
  ) {
    super();
  }

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedOffer>> {
    const { tenantId } = principal;
    if (tenantId === null) return new Map();
    const emailKey = await this.addresses.findKeyOf(principal);
    const found = await this.partnerships.findJudgedOfPartner(tenantId, emailKey, ids, lock);
    return new Map((await this.validity.settle(found, lock)).map((one) => [one.id, one]));
  }

  @Scope('accept', { impersonation: false })
  accept({ status }: JudgedOffer): true | Refusal {
    return status === 'offered' || forbid('partnership.not-offered');
  }

  @Scope('leave', { impersonation: false })
  leave({ status }: JudgedOffer): true | Refusal {
    return status === 'active' || forbid('partnership.not-active');
  }

  @Scope('assign', { impersonation: false })
  assign({ status }: JudgedOffer): true | Refusal {
    return status === 'active' || forbid('partnership.not-active');
  }
}
