import {
  AbilityPolicy,
  CallerScopes,
  Scope,
  type EntityPolicy,
  type LoadContext,
  forbid,
  type Refusal,
} from '../../../ability/index.js';
import { MemberRepository } from '../members/member.repository.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { TenantLockedPolicy } from '../tenants/tenant-lock.js';
import { InvitationRepository, type JudgedInvitation } from './invitation.repository.js';
import '../organization.messages.js';

/** Invitation, with what the decision needs to know of the caller. */
interface Judged extends JudgedInvitation {
  readonly callerIsOwner: boolean;
  /** Whether the invitation gives a scope that the caller does not hold. */
  readonly exceedsCaller: boolean;
}

/** Permissions on the invitations of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'invitation', collection: 'invitations' })
@Scope('read', { allowedWhenArchived: true, on: 'tenants' })
@Scope('create', { on: 'tenants', impersonation: false })
export class InvitationPolicy extends TenantLockedPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly invitations: InvitationRepository,
    private readonly members: MemberRepository,
    private readonly directory: MembershipDirectory,
    private readonly callers: CallerScopes,
  ) {
    super();
  }

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    const { tenantId, userId } = principal;
    if (tenantId === null) return new Map();
    const [caller] = await this.members.findJudged(tenantId, [userId], lock);
    const found = await this.invitations.findJudged(tenantId, ids, lock);
    const scopesOf = await this.directory.getScopesOfRoles(tenantId, lock);
    const holds = await this.callers.findCallerScopes(principal, lock);
    return new Map(
      found.map((invitation) => {
        const exceedsCaller = [...scopesOf(invitation.roleIds)].some((scope) => holds?.(scope) !== true);
        return [invitation.id, { ...invitation, callerIsOwner: caller?.isOwner === true, exceedsCaller }];
      }),
    );
  }

  @Scope('resend', { impersonation: false })
  resend({ status, lacksRole, exceedsCaller, makesOwner, callerIsOwner }: Judged): true | Refusal {
    if (status === 'accepted' || status === 'revoked') return forbid(`invitation.${status}`);
    if (lacksRole) return forbid('invitation.lacks-role');
    if (makesOwner && !callerIsOwner) return forbid('invitation.owners-only');
    return !exceedsCaller || forbid('invitation.exceeds-caller');
  }

  @Scope('revoke', { impersonation: false })
  revoke({ status }: Judged): true | Refusal {
    return status === 'open' || forbid(`invitation.${status}`);
  }
}
