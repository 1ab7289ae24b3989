import {
  AbilityPolicy,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { MemberAuthority } from '../members/member-authority.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { OfferedAddress } from './offered-address.js';
import {
  type JudgedAccess,
  type JudgedPartnership,
  PartnershipRepository,
} from './partnership.repository.js';
import '../organization.messages.js';

/** Needs what the host has of the offer's maker, which is not read for other scopes. */
const ACCEPT = 'iam:partner-access:accept';

interface Judged extends JudgedPartnership {
  /** Whether it is an open offer, of a member who could make it now: see {@link ACCEPT}. */
  readonly isOfferedStill: boolean;
}

/** Permissions of a partner on what other organizations offer it. */
@AbilityPolicy({
  module: 'iam',
  entity: 'partner-access',
  collection: 'partner-accesses',
  title: 'scope.partner-access',
})
export class PartnerAccessPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly partnerships: PartnershipRepository,
    private readonly addresses: OfferedAddress,
    private readonly tenantLock: TenantLock,
    private readonly authority: MemberAuthority,
  ) {}

  async load(ids: readonly string[], { principal, lock, scopes }: LoadContext): Promise<Map<string, Judged>> {
    const { tenantId } = principal;
    if (tenantId === null) return new Map();
    const emailKey = await this.addresses.findKeyOf(principal);
    const found = await this.partnerships.findJudgedOfPartner(tenantId, emailKey, ids, lock);
    const judged = new Map<string, Judged>();
    for (const one of found) {
      const isOfferedStill = scopes.has(ACCEPT) && (await this.isOfferedStill(one));
      judged.set(one.id, { ...one, isOfferedStill });
    }
    return judged;
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', {
    title: 'scope.partner-access.read',
    description: 'scope.partner-access.read.description',
    allowedWhenArchived: true,
    on: 'tenants',
  })
  read(): true {
    return true;
  }

  @Scope('accept', {
    title: 'scope.partner-access.accept',
    description: 'scope.partner-access.accept.description',
    impersonation: false,
  })
  accept({ isOfferedStill }: Judged): true | Refusal {
    return isOfferedStill || forbid('partnership.not-offered');
  }

  @Scope('leave', {
    title: 'scope.partner-access.leave',
    description: 'scope.partner-access.leave.description',
    impersonation: false,
  })
  leave({ status }: JudgedPartnership): true | Refusal {
    return status === 'active' || forbid('partnership.not-active');
  }

  @Scope('assign', {
    title: 'scope.partner-access.assign',
    description: 'scope.partner-access.assign.description',
    impersonation: false,
  })
  assign({ status }: JudgedPartnership): true | Refusal {
    return status === 'active' || forbid('partnership.not-active');
  }

  /** A removed member must not come back by an organization of theirs. */
  private async isOfferedStill({ status, tenantId, createdBy, roleIds }: JudgedAccess): Promise<boolean> {
    if (status !== 'offered') return false;
    const by = { tenantId, actorId: createdBy };
    return this.authority.couldGive(by, ['iam:partnership:create'], roleIds);
  }
}
