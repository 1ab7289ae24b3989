import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid, type Refusal } from '../../../ability/index.js';
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
import { TenantService } from '../tenants/tenant.service.js';
import { InvitationRepository, type PresentedInvitation } from './invitation.repository.js';
import '../organization.messages.js';

/** Accepts invitations. */
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
   * Makes the caller a member. The address of an account is always verified, so that it proves who
   * was invited.
   * @returns the id of the organization
   * @throws {AppError} validation-error on `token` if it is wrong, used, revoked or expired, or the
   *   inviting member could not invite any more; forbidden for an account of another address, and
   *   in an archived organization; conflict if the caller is a member of the maximum number of
   *   organizations
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
        throw refused(forbid('invitation.other-address'));
      if ((await this.tenants.get(tenantId)).archivedAt !== null) throw refused(forbid('tenant.archived'));
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

  /**
   * Returns whether the inviting member could still send this invitation: a member must not keep a
   * lost permission by an invitation sent before.
   */
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
  AppError.violation(
    'token',
    'The invitation is not valid any more. Ask the member who invited you for a new one.',
  );
const refused = (reason: Refusal): AppError => denialError(denyByState(reason));
