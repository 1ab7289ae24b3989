import { Injectable } from '@nestjs/common';
import { forbid } from '../../../ability/index.js';
import { Database } from '../../../platform/database/index.js';
import { canonicalEmail, type PersonPrincipal, type TenantId, type UserId } from '../../../kernel/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberService } from '../members/member.service.js';
import { MembershipLimit } from '../members/membership-limit.js';
import { InvitationRepository } from './invitation.repository.js';
import { InvitationValidity, type LockedInvitation, refused } from './invitation-validity.js';

/** Accepts invitations. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
    private readonly limit: MembershipLimit,
    private readonly validity: InvitationValidity,
    private readonly members: MemberService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Makes the caller a member. The address of an account is always verified, so that it proves who
   * was invited.
   * @returns the id of the organization
   * @throws {AppError} validation-error on `token` if it is wrong, used, revoked or expired, or the
   *   inviting member could not invite any more; forbidden for an account of another address, and
   *   in an archived organization; conflict if the caller is a member of the maximum number of
   *   organizations; insufficient-user-authentication if only a connection of another organization
   *   has vouched for the caller, and this one accepts none
   */
  accept(caller: PersonPrincipal, plainToken: string): Promise<TenantId> {
    const { userId } = caller;
    return this.database.transaction(async () => {
      const account = await this.limit.lockAccountForUpdate(userId);
      const invitation = await this.validity.requireOpenForUpdate(plainToken);
      if (account.email === null || invitation.emailKey !== canonicalEmail(account.email))
        throw refused(forbid('invitation.other-address'));
      await this.validity.requireActiveTenant(invitation);
      await this.validity.requireSignIn(caller, invitation);
      if (await this.join(userId, invitation)) await this.limit.requireWithinLimit(account.id);
      return invitation.tenantId;
    });
  }

  /**
   * Makes a person a member, in the transaction that has locked the invitation.
   * @returns false if the person is a member already
   */
  async join(userId: UserId, { tenantId, id, roleIds }: LockedInvitation): Promise<boolean> {
    // Before the person joins, which revokes the open ones.
    await this.invitations.markAccepted(tenantId, id);
    const isAdded = await this.members.add(tenantId, userId, roleIds);
    const subject = `iam/invitations/${id}`;
    await this.audit.record({ actorId: userId, tenantId, action: 'invitation.accepted', subject });
    return isAdded;
  }
}
