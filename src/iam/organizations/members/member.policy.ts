import {
  AbilityPolicy,
  CallerScopes,
  Scope,
  type EntityPolicy,
  type LoadContext,
} from '../../../ability/index.js';
import type { Principal } from '../../../kernel/index.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { MemberRepository, type JudgedMember } from './member.repository.js';
import { MembershipDirectory } from './membership-directory.js';

/** Member, with what the decision needs to know of the caller. */
interface Judged extends JudgedMember {
  readonly callerIsOwner: boolean;
  /** Whether the member holds a scope that the caller does not. */
  readonly exceedsCaller: boolean;
}

const LAST_OWNER = 'The last owner can be neither removed nor demoted. Make another member an owner first.';
const OWNERS_ONLY = 'Only an owner can do this to an owner.';
const EXCEEDS_CALLER =
  'The member holds permissions that you do not hold yourself. Ask a member who holds them.';

/** Permissions on the members of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'member', collection: 'members' })
export class MemberPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
    private readonly tenantLock: TenantLock,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    const { tenantId, userId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.members.findJudged(tenantId, [...ids, userId], lock);
    const scopesOf = await this.directory.getScopesOfRoles(tenantId, lock);
    const held = new Map(found.map((member) => [member.userId, scopesOf(member.roleIds)]));
    const callerIsOwner = found.some((member) => member.userId === userId && member.isOwner);
    const callerHolds = held.get(userId);
    const mayClient = await this.callers.getClientScopes(principal.clientId, lock);
    return new Map(
      found.map((member) => {
        const exceedsCaller = [...(held.get(member.userId) ?? [])].some(
          (scope) => !callerHolds?.has(scope) || !mayClient(scope),
        );
        return [member.userId, { ...member, callerIsOwner, exceedsCaller }];
      }),
    );
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.lockSelectedForUpdate(principal);
  }

  @Scope('read', { allowedWhenArchived: true, on: 'tenants', roles: ['admin', 'member'] })
  read(): true {
    return true;
  }

  @Scope('update')
  update(member: Judged, { userId }: Principal): true | string {
    if (member.isLastOwner) return LAST_OWNER;
    if (member.userId === userId) return 'You cannot change your own roles. Ask another owner or admin.';
    return reasonAboveCaller(member) ?? true;
  }

  @Scope('remove')
  remove(member: Judged): true | string {
    if (member.isLastOwner) return LAST_OWNER;
    return reasonAboveCaller(member) ?? true;
  }
}

/**
 * Callers must not take away what they could not give: the role of an owner, or permissions that
 * they do not hold (API-12).
 * @returns the reason for the refusal; null if there is none
 */
function reasonAboveCaller({ isOwner, callerIsOwner, exceedsCaller }: Judged): string | null {
  if (isOwner && !callerIsOwner) return OWNERS_ONLY;
  return exceedsCaller ? EXCEEDS_CALLER : null;
}
