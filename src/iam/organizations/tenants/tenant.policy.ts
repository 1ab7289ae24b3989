import { AbilityPolicy, Scope, type LoadContext, forbid, type Refusal } from '../../../ability/index.js';
import { type Principal, SENSITIVE, type TenantId } from '../../../kernel/index.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { SelectedTenantPolicy } from './own-tenant.policy.js';
import type { TenantState } from './tenant.entity.js';
import '../organization.messages.js';

/** Organization, with what the decision needs to know of the caller. */
interface Judged extends TenantState {
  /** Null if no checked scope depends on it. */
  readonly callerIsLastOwner: boolean | null;
  /** Null if no checked scope depends on it. */
  readonly callerIsOwner: boolean | null;
}

const LEAVE = 'iam:tenant:leave';
const TRANSFER = 'iam:tenant:transfer-ownership';
const OF_OWNERS = { allowedWhenArchived: true, roles: [] } as const;

/** Permissions on an organization. */
@AbilityPolicy({ module: 'iam', entity: 'tenant', collection: 'tenants' })
@Scope('read', { allowedWhenArchived: true, roles: ['admin', 'member'] })
@Scope('update')
export class TenantPolicy extends SelectedTenantPolicy<Judged> {
  constructor(private readonly directory: MembershipDirectory) {
    super();
  }

  protected async find(
    tenantId: TenantId,
    { principal: { userId }, lock, scopes }: LoadContext,
  ): Promise<Judged | null> {
    const state = await this.directory.findState(tenantId, lock);
    const callerIsLastOwner = scopes.has(LEAVE)
      ? await this.directory.isLastOwner(userId, tenantId, lock)
      : null;
    const callerIsOwner = scopes.has(TRANSFER) ? await this.directory.isOwner(userId, tenantId, lock) : null;
    return state?.deletionStarted === false ? { ...state, callerIsLastOwner, callerIsOwner } : null;
  }

  @Scope('archive', { allowedWhenArchived: true, roles: [], impersonation: false })
  archive({ archived }: Judged): true | Refusal {
    return !archived || forbid('tenant.archived-already');
  }

  @Scope('restore', { allowedWhenArchived: true, roles: [], impersonation: false })
  restore({ archived }: Judged): true | Refusal {
    return archived || forbid('tenant.not-archived');
  }

  @Scope('delete', { ...OF_OWNERS, ...SENSITIVE })
  delete({ archived, deletionScheduled }: Judged): true | Refusal {
    if (!archived) return forbid('tenant.not-archived');
    return !deletionScheduled || forbid('tenant.deletion-scheduled-already');
  }

  @Scope('read-deletion', { ...OF_OWNERS })
  readDeletion(): true {
    return true;
  }

  @Scope('cancel-deletion', { ...OF_OWNERS, impersonation: false })
  cancelDeletion({ deletionScheduled }: Judged): true | Refusal {
    return deletionScheduled || forbid('tenant.deletion-not-scheduled');
  }

  @Scope('transfer-ownership', { roles: [], ...SENSITIVE })
  transferOwnership({ callerIsOwner }: Judged): true | Refusal {
    return callerIsOwner === true || forbid('tenant.owners-only');
  }

  @Scope('set-audit-retention', { roles: [], impersonation: false, ...SENSITIVE })
  setAuditRetention(): true {
    return true;
  }

  @Scope('leave', {
    allowedWhenArchived: true,
    anySignIn: true,
    peopleOnly: true,
    roles: ['admin', 'member'],
    impersonation: false,
  })
  leave({ callerIsLastOwner }: Judged, { kind }: Principal): true | Refusal {
    if (kind === 'machine') return forbid('ability.people-only');
    return callerIsLastOwner === false || forbid('tenant.last-owner-leaves');
  }
}
