import {
  AbilityPolicy,
  CallerScopes,
  type EntityPolicy,
  forbid,
  type LoadContext,
  type Refusal,
  Scope,
  type SignInNeed,
} from '../../ability/index.js';
import { MembershipDirectory, PUTS_ON_PARTNERSHIPS, SignInPolicies, TenantLock } from '../../iam/index.js';
import type { Principal, SignInPolicy, UserId } from '../../kernel/index.js';
import { type JudgedWorker, WorkerRepository } from './worker.repository.js';
import '../frontline.messages.js';

/** Worker, with what the decision needs to know of the caller and the organization. */
interface Judged extends JudgedWorker {
  /** Whether they hold a scope, on a thing or by a partnership too, that the caller does not. */
  readonly exceedsCaller: boolean;
  readonly pinReset: SignInPolicy['pinReset'];
}

/** Permissions on the workers of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'worker', collection: 'workers' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', impersonation: false })
// Whatever the roles: it stops a lost badge.
@Scope('revoke-badge', { impersonation: false })
export class WorkerPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly workers: WorkerRepository,
    private readonly directory: MembershipDirectory,
    private readonly policies: SignInPolicies,
    private readonly callers: CallerScopes,
    private readonly tenantLock: TenantLock,
  ) {}

  async load(ids: readonly string[], { principal, lock, scopes }: LoadContext): Promise<Map<string, Judged>> {
    const { tenantId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.workers.findJudged(tenantId, ids, lock);
    const scopesOf = await this.directory.getScopesOfRoles(tenantId, lock);
    const holds = await this.callers.findCallerScopes(principal, lock);
    const { pinReset } = scopes.has('iam:worker:reset-pin')
      ? await this.policies.get(tenantId)
      : { pinReset: 'second-factor' as const };
    return new Map(
      found.map((worker) => {
        const power = new Set(scopesOf(worker.allRoleIds));
        if (worker.isOnPartnership) power.add(PUTS_ON_PARTNERSHIPS);
        const exceedsCaller = [...power].some((scope) => holds?.(scope) !== true);
        return [worker.id, { ...worker, exceedsCaller, pinReset }];
      }),
    );
  }

  /** Locks the accounts first, which commands rename and erase. */
  async lock(principal: Principal, ids: readonly string[]): Promise<void> {
    if (principal.tenantId !== null) await this.workers.lockAccountsForUpdate(principal.tenantId, ids);
    await this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('update', { impersonation: false })
  update(worker: Judged, { userId }: Principal): true | Refusal {
    return whyNot(worker, userId) ?? true;
  }

  @Scope('delete', { impersonation: false })
  delete(worker: Judged, { userId }: Principal): true | Refusal {
    return whyNot(worker, userId) ?? true;
  }

  @Scope('suspend', { impersonation: false })
  suspend(worker: Judged, { userId }: Principal): true | Refusal {
    if (worker.status === 'suspended') return forbid('member.suspended-already');
    return whyNot(worker, userId) ?? true;
  }

  @Scope('reinstate', { impersonation: false })
  reinstate(worker: Judged, { userId }: Principal): true | Refusal {
    if (worker.status === 'active') return forbid('member.not-suspended');
    return whyNot(worker, userId) ?? true;
  }

  /** Who gets a new PIN of a person can sign in as them. */
  @Scope('reset-pin', { peopleOnly: true, firstParty: true })
  resetPin(worker: Judged, { userId }: Principal): true | Refusal | SignInNeed {
    const refusal = whyNot(worker, userId);
    if (refusal) return refusal;
    return worker.pinReset === 'two-people' || { need: { acr: 'aal2' } };
  }

  @Scope('issue-badge', { impersonation: false })
  issueBadge(worker: Judged, { userId }: Principal): true | Refusal {
    return whyNot(worker, userId) ?? true;
  }
}

/** Callers change no worker who holds more than they do, nor themselves. */
function whyNot({ id, isOwner, exceedsCaller }: Judged, userId: UserId): Refusal | null {
  if (isOwner) return forbid('worker.is-owner');
  if (id === userId) return forbid('worker.own');
  return exceedsCaller ? forbid('member.exceeds-caller') : null;
}
