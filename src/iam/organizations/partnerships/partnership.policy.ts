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
import { type JudgedOffer, type JudgedPartnership, PartnershipRepository } from './partnership.repository.js';
import '../organization.messages.js';

/** Permissions of a host on its partnerships. */
@AbilityPolicy({ module: 'iam', entity: 'partnership', collection: 'partnerships' })
export class PartnershipPolicy implements EntityPolicy<JudgedOffer> {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly tenantLock: TenantLock,
    private readonly validity: OfferValidity,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, JudgedOffer>> {
    const { tenantId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.partnerships.findJudgedOfHost(tenantId, ids, lock);
    return new Map((await this.validity.settle(found, lock)).map((one) => [one.id, one]));
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants' })
  read(): true {
    return true;
  }

  @Scope('create', { on: 'tenants', impersonation: false })
  create(): true {
    return true;
  }

  @Scope('update', { impersonation: false })
  update({ status }: JudgedPartnership): true | Refusal {
    return status === 'offered' || status === 'active' || forbid('partnership.over');
  }

  @Scope('end', { impersonation: false })
  end(): true {
    return true;
  }
}
