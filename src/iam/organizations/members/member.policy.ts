import {
  AbilityPolicy,
  CallerScopes,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { TenantLockedPolicy } from '../tenants/tenant-lock.js';
import { MemberRepository, type JudgedMember } from './member.repository.js';
import { MembershipDirectory } from './membership-directory.js';
import '../organization.messages.js';

/** Member, with what the decision needs to know of the caller. */
interface Judged extends JudgedMember {
  readonly callerIsOwner: boolean;
  /** Whether the member holds a scope, on a thing too, that the caller does not. */
  readonly exceedsCaller: boolean;
}

/** Permissions on the members of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'member', collection: 'members' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants', roles: ['admin', 'member'] })
export class MemberPolicy extends TenantLockedPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
  ) {
    super();
  }

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    const { tenantId, userId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.members.findJudged(tenantId, [...ids, userId], lock);
    const scopesOf = await this.directory.getScopesOfRoles(tenantId, lock);
    const own = found.find((member) => member.userId === userId);
    const callerHolds = own && scopesOf(own.roleIds);
    const mayUse = await this.callers.getUsableScopes(principal, lock);
    // A service account is no member, so that its roles are not among those found.
    const isService = principal.kind === 'machine' && principal.owner === 'service-account';
    const holds = isService
      ? await this.callers.findCallerScopes(principal, lock)
      : (scope: string) => callerHolds?.has(scope) === true && mayUse(scope);
    return new Map(
      found.map((member) => {
        const exceedsCaller = [...scopesOf(member.allRoleIds)].some((scope) => holds?.(scope) !== true);
        return [member.userId, { ...member, callerIsOwner: own?.isOwner === true, exceedsCaller }];
      }),
    );
  }

  @Scope('update', { impersonation: false })
  update(member: Judged, { userId }: Principal): true | Refusal {
    if (member.isLastOwner) return forbid('member.last-owner');
    if (member.userId === userId) return forbid('member.own-roles');
    return reasonAboveCaller(member) ?? true;
  }

  @Scope('remove', { impersonation: false })
  remove(member: Judged): true | Refusal {
    if (member.isLastOwner) return forbid('member.last-owner');
    return reasonAboveCaller(member) ?? true;
  }

  @Scope('suspend', { impersonation: false })
  suspend(member: Judged): true | Refusal {
    if (member.status === 'suspended') return forbid('member.suspended-already');
    if (member.isLastOwner) return forbid('member.last-owner-suspended');
    return reasonAboveCaller(member) ?? true;
  }

  @Scope('restore', { impersonation: false })
  restore(member: Judged): true | Refusal {
    if (member.status === 'active') return forbid('member.not-suspended');
    return reasonAboveCaller(member) ?? true;
  }
}

/**
 * Callers must not take away what they could not give: the role of an owner, or permissions that
 * they do not hold (API-12).
 * @returns the reason for the refusal; null if there is none
 */
function reasonAboveCaller({ isOwner, callerIsOwner, exceedsCaller }: Judged): Refusal | null {
  if (isOwner && !callerIsOwner) return forbid('member.owners-only');
  return exceedsCaller ? forbid('member.exceeds-caller') : null;
}
