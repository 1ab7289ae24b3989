import {
  AbilityPolicy,
  CallerScopes,
  conflict,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { TenantLockedPolicy } from '../tenants/tenant-lock.js';
import { AccessRequestRepository, DECIDE, type JudgedRequest } from './access-request.repository.js';
import '../organization.messages.js';

/** Permissions on requests for access. */
@AbilityPolicy({ module: 'iam', entity: 'access-request', collection: 'access-requests' })
@Scope('create', { on: 'tenants', roles: ['admin', 'member'], impersonation: false })
export class AccessRequestPolicy extends TenantLockedPolicy implements EntityPolicy<JudgedRequest> {
  constructor(
    private readonly requests: AccessRequestRepository,
    private readonly callers: CallerScopes,
  ) {
    super();
  }

  /** Finds the caller's, and all for those who decide: to others, a request does not exist. */
  async load(ids: readonly string[], context: LoadContext): Promise<ReadonlyMap<string, JudgedRequest>> {
    const { principal, lock } = context;
    const found = await this.requests.loadByIds(ids, context);
    const holds = await this.callers.findCallerScopes(principal, lock);
    if (holds?.(DECIDE) === true) return found;
    return new Map([...found].filter(([, { userId }]) => userId === principal.userId));
  }

  @Scope('withdraw', { roles: ['admin', 'member'], impersonation: false })
  withdraw({ userId: requester, isPending }: JudgedRequest, { userId }: Principal): true | Refusal {
    if (requester !== userId) return forbid('access-request.of-another');
    return isPending || conflict('access-request.decided');
  }

  @Scope('decide', { impersonation: false })
  decide({ userId: requester, isPending }: JudgedRequest, { userId }: Principal): true | Refusal {
    if (requester === userId) return forbid('access-request.own');
    return isPending || conflict('access-request.decided');
  }

  @Scope('configure', { on: 'tenants', impersonation: false })
  configure(): true {
    return true;
  }
}
