import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { OfferValidity } from './offer-validity.js';
import { OfferedAddress } from './offered-address.js';
import { type JudgedOffer, type JudgedPartnership, PartnershipRepository } from './partnership.repository.js';
import '../organization.messages.js';

/** Permissions of a partner on what other organizations offer it. */
@AbilityPolicy({ module: 'iam', entity: 'partner-access', collection: 'partner-accesses' })
export class PartnerAccessPolicy implements EntityPolicy<JudgedOffer> {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly addresses: OfferedAddress,
    private readonly tenantLock: TenantLock,
    private readonly validity: OfferValidity,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedOffer>> {
    const { tenantId } = principal;
    if (tenantId === null) return new Map();
    const emailKey = await this.addresses.findKeyOf(principal);
    const found = await this.partnerships.findJudgedOfPartner(tenantId, emailKey, ids, lock);
    return new Map((await this.validity.settle(found, lock)).map((one) => [one.id, one]));
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('accept', { impersonation: false })
  accept({ status }: JudgedPartnership): true | Refusal {
    return status === 'offered' || forbid('partnership.not-offered');
  }

  @Scope('leave', { impersonation: false })
  leave({ status }: JudgedPartnership): true | Refusal {
    return status === 'active' || forbid('partnership.not-active');
  }

  @Scope('assign', { impersonation: false })
  assign({ status }: JudgedPartnership): true | Refusal {
    return status === 'active' || forbid('partnership.not-active');
  }
}
