import { Injectable } from '@nestjs/common';
import { denialError, denyByState } from '../../../ability/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { canonicalEmail, type TenantId, type UserId } from '../../../kernel/index.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberService } from '../members/member.service.js';
import { MembershipDirectory } from '../members/membership-directory.js';
import { MembershipLimit } from '../members/membership-limit.js';
import { RoleService } from '../roles/role.service.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { ARCHIVED } from '../tenants/tenant.js';
import { TenantService } from '../tenants/tenant.service.js';
import { InvitationRepository, type PresentedInvitation } from './invitation.repository.js';

/** From a mailed invitation to a membership. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
    private readonly limit: MembershipLimit,
    private readonly tenants: TenantService,
    private readonly tenantLock: TenantLock,
    private readonly members: MemberService,
    private readonly directory: MembershipDirectory,
    private readonly roles: RoleService,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Makes the caller a member. Accounts exist with verified addresses alone, so that the address proves who is meant.
   * @throws {AppError} validation-error on `token` when it is wrong, used, revoked or expired, or who invited could not do so any more; forbidden for
   *   another address than the invited one, and in an archived organization; conflict for who is in as many as anybody can be
   */
  accept(userId: UserId, plainToken: string): Promise<TenantId> {
    const tokenHash = hashOneTimeToken(plainToken);
    return this.database.transaction(async () => {
      const account = await this.limit.lockAccountForUpdate(userId);
      const tenantId = await this.invitations.findTenantId(tokenHash);
      if (tenantId === null) throw invalidToken();
      await this.tenantLock.lockForUpdate(tenantId);
      const invitation = await this.invitations.findPresented(tokenHash);
      if (invitation?.status !== 'open' || !(await this.canInviterStillInvite(invitation)))
        throw invalidToken();
      if (account.email === null || invitation.emailKey !== canonicalEmail(account.email))
        throw refused(
          'The invitation was sent to another address. Sign in with the account of that address.',
        );
      if ((await this.tenants.get(tenantId)).archivedAt !== null) throw refused(ARCHIVED);
      if (await this.members.add(tenantId, userId, invitation.roleIds))
        await this.limit.requireWithinLimit(userId);
      await this.invitations.markAccepted(tenantId, invitation.id);
      await this.audit.record({
        actorId: userId,
        tenantId,
        action: 'invitation.accepted',
        subject: `iam/invitations/${invitation.id}`,
      });
      return tenantId;
    });
  }

  /** Whoever invited could do so again: what somebody has lost since, they cannot have put aside for later. */
  private async canInviterStillInvite({
    tenantId,
    invitedBy,
    roleIds,
  }: PresentedInvitation): Promise<boolean> {
    const holds = await this.directory.findScopePredicate(invitedBy, tenantId, true);
    return holds?.('iam:invitation:create') === true && this.roles.canGive(tenantId, invitedBy, roleIds);
  }
}

const invalidToken = (): AppError =>
  AppError.violation('token', 'The invitation is not valid any more. Ask whoever invited you for a new one.');
const refused = (reason: string): AppError => denialError(denyByState(reason));
