import { Injectable } from '@nestjs/common';
import { forbid, SignInCheck } from '../../../ability/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { canonicalEmail, type PersonPrincipal, type TenantId } from '../../../kernel/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberService } from '../members/member.service.js';
import { MembershipLimit } from '../members/membership-limit.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { InvitationRepository } from './invitation.repository.js';
import { InvitationValidity, refused } from './invitation-validity.js';

/** Accepts invitations. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
    private readonly limit: MembershipLimit,
    private readonly validity: InvitationValidity,
    private readonly tenantLock: TenantLock,
    private readonly members: MemberService,
    private readonly audit: AuditTrail,
    private readonly signIns: SignInCheck,
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
    const tokenHash = hashOneTimeToken(plainToken);
    return this.database.transaction(async () => {
      const account = await this.limit.lockAccountForUpdate(userId);
      const tenantId = await this.invitations.findTenantId(tokenHash);
      if (tenantId === null) return this.validity.refuseToken();
      await this.tenantLock.lockForUpdate(tenantId);
      const invitation = await this.validity.requireOpen(
        await this.invitations.findPresented(tokenHash, true),
      );
      if (account.email === null || invitation.emailKey !== canonicalEmail(account.email))
        throw refused(forbid('invitation.other-address'));
      await this.validity.requireActiveTenant(invitation);
      if (caller.ownProofMissing) await this.signIns.require(caller, tenantId);
      // Before the person joins, which revokes the open ones.
      await this.invitations.markAccepted(tenantId, invitation.id);
      if (await this.members.add(tenantId, userId, invitation.roleIds))
        await this.limit.requireWithinLimit(userId);
      await this.audit.record({
        actorId: userId,
        tenantId,
        action: 'invitation.accepted',
        subject: `iam/invitations/${invitation.id}`,
      });
      return tenantId;
    });
  }
}
