import {
  AbilityPolicy,
  conflict,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { AccessRequestRepository, type JudgedRequest } from './access-request.repository.js';
import '../organization.messages.js';

/** Permissions on requests for access. */
@AbilityPolicy({
  module: 'iam',
  entity: 'access-request',
  collection: 'access-requests',
  title: 'scope.access-request',
})
export class AccessRequestPolicy implements EntityPolicy<JudgedRequest> {
  constructor(
    private readonly requests: AccessRequestRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, JudgedRequest>> {
    return this.requests.loadByIds(ids, context);
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('create', {
    title: 'scope.access-request.create',
    on: 'tenants',
    roles: ['admin', 'member'],
    impersonation: false,
  })
  create(): true {
    return true;
  }

  @Scope('withdraw', {
    title: 'scope.access-request.withdraw',
    roles: ['admin', 'member'],
    impersonation: false,
  })
  withdraw({ userId: requester, isPending }: JudgedRequest, { userId }: Principal): true | Refusal {
    if (requester !== userId) return forbid('access-request.of-another');
    return isPending || conflict('access-request.decided');
  }

  @Scope('decide', {
    title: 'scope.access-request.decide',
    description: 'scope.access-request.decide.description',
    impersonation: false,
  })
  decide({ userId: requester, isPending }: JudgedRequest, { userId }: Principal): true | Refusal {
    if (requester === userId) return forbid('access-request.own');
    return isPending || conflict('access-request.decided');
  }

  @Scope('configure', { title: 'scope.access-request.configure', on: 'tenants', impersonation: false })
  configure(): true {
    return true;
  }
}
