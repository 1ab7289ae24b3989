import { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLock } from './tenant-lock.js';
import type { TenantState } from './tenant.js';

/** Organization, with what the decision needs to know of the caller. */
interface Judged extends TenantState {
  /** Null if no checked scope depends on it. */
  readonly callerIsLastOwner: boolean | null;
}

const LEAVE = 'iam:tenant:leave';

/** Permissions on an organization. */
@AbilityPolicy({ module: 'iam', entity: 'tenant', collection: 'tenants' })
export class TenantPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly directory: MembershipDirectory,
    private readonly tenantLock: TenantLock,
  ) {}

  /** Loads the selected tenant and no other. With `lock`, {@link lock} has locked it before. */
  async load(ids: readonly string[], { principal, lock, scopes }: LoadContext): Promise<Map<string, Judged>> {
    const { tenantId, userId } = principal;
    if (tenantId === null || !ids.includes(tenantId)) return new Map();
    const state = await this.directory.findState(tenantId, lock);
    const callerIsLastOwner = scopes.has(LEAVE)
      ? await this.directory.isLastOwner(userId, tenantId, lock)
      : null;
    return new Map(state ? [[tenantId, { ...state, callerIsLastOwner }]] : []);
  }

  defaultSubject({ tenantId }: Principal): string | null {
    return tenantId;
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, roles: ['admin', 'member'] })
  read(): true {
    return true;
  }

  @Scope('update')
  update(): true {
    return true;
  }

  @Scope('archive', { allowedWhenArchived: true, roles: [] })
  archive({ archived }: Judged): true | string {
    return !archived || 'The organization is archived already.';
  }

  @Scope('restore', { allowedWhenArchived: true, roles: [] })
  restore({ archived }: Judged): true | string {
    return archived || 'The organization is not archived.';
  }

  @Scope('leave', { allowedWhenArchived: true, roles: ['admin', 'member'] })
  leave({ callerIsLastOwner }: Judged): true | string {
    return callerIsLastOwner === false || 'The last owner cannot leave. Make another member an owner first.';
  }
}
