import { Injectable } from '@nestjs/common';
import { forbid, SignInCheck } from '../../../ability/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { canonicalEmail, type PersonPrincipal, type TenantId, type UserId } from '../../../kernel/index.js';
import { AccountService, type NewAccount } from '../../accounts/account.service.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { MemberService } from '../members/member.service.js';
import { MembershipLimit } from '../members/membership-limit.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { InvitationRepository, type PresentedInvitation } from './invitation.repository.js';
import { InvitationValidity, refused } from './invitation-validity.js';

/** A newcomer's account, and the organization that they joined. */
export interface Joined {
  readonly userId: UserId;
  readonly tenantId: TenantId;
}

/** Accepts invitations. */
@Injectable()
export class InvitationAcceptance {
  constructor(
    private readonly database: Database,
    private readonly invitations: InvitationRepository,
    private readonly accounts: AccountService,
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
      const invitation = await this.lockForUpdate(tokenHash);
      if (account.email === null || invitation.emailKey !== canonicalEmail(account.email))
        throw refused(forbid('invitation.other-address'));
      await this.validity.requireActiveTenant(invitation);
      if (caller.ownProofMissing) await this.signIns.require(caller, invitation.tenantId);
      if (await this.join(userId, invitation)) await this.limit.requireWithinLimit(account.id);
      return invitation.tenantId;
    });
  }

  /**
   * Returns the invited address, which the token proves.
   * @throws {AppError} as {@link acceptAsNewcomer}, without conflict
   */
  async getEmail(plainToken: string): Promise<string> {
    const presented = await this.invitations.findPresented(hashOneTimeToken(plainToken), false);
    const invitation = await this.validity.requireOpen(presented);
    await this.validity.requireActiveTenant(invitation);
    return invitation.email;
  }

  /**
   * Creates the account of the invited address and makes it a member (ADR 65). Joins the open
   * transaction.
   * @param email of {@link getEmail}
   * @throws {AppError} conflict if the address has an account; else as {@link accept}
   */
  async acceptAsNewcomer(plainToken: string, email: string, newcomer: NewAccount): Promise<Joined> {
    const userId = await this.accounts.createVerified(email, newcomer);
    if (userId === null) throw new AppError('conflict', { reason: { id: 'invitation.account-already' } });
    const invitation = await this.lockForUpdate(hashOneTimeToken(plainToken));
    await this.validity.requireActiveTenant(invitation);
    await this.join(userId, invitation);
    return { userId, tenantId: invitation.tenantId };
  }

  /** Locks the organization and the invitation, in this order. */
  private async lockForUpdate(tokenHash: Buffer): Promise<PresentedInvitation> {
    const tenantId = await this.invitations.findTenantId(tokenHash);
    if (tenantId === null) return this.validity.refuseToken();
    await this.tenantLock.lockForUpdate(tenantId);
    return this.validity.requireOpen(await this.invitations.findPresented(tokenHash, true));
  }

  /** @returns false if the person is a member already */
  private async join(userId: UserId, { tenantId, id, roleIds }: PresentedInvitation): Promise<boolean> {
    // Before the person joins, which revokes the open ones.
    await this.invitations.markAccepted(tenantId, id);
    const isAdded = await this.members.add(this.tenantLock.requireLocked(tenantId), userId, roleIds);
    await this.audit.record({
      actorId: userId,
      tenantId,
      action: 'invitation.accepted',
      subject: `iam/invitations/${id}`,
    });
    return isAdded;
  }
}
