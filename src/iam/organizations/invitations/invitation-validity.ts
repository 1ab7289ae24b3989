import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid, type Refusal, SignInCheck } from '../../../ability/index.js';
import type { Locked, PersonPrincipal, TenantId } from '../../../kernel/index.js';
import { hashOneTimeToken } from '../../../platform/crypto/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { MemberAuthority } from '../members/member-authority.js';
import type { Tenant } from '../tenants/tenant.entity.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { TenantService } from '../tenants/tenant.service.js';
import { InvitationRepository, type PresentedInvitation } from './invitation.repository.js';
import '../organization.messages.js';

/** An invitation under its lock, and the lock of its organization. */
export interface LockedInvitation extends PresentedInvitation {
  readonly tenantId: Locked<TenantId>;
}

/** Decides whether a presented invitation can be accepted, for its preview and its acceptance. */
@Injectable()
export class InvitationValidity {
  constructor(
    private readonly tenants: TenantService,
    private readonly authority: MemberAuthority,
    private readonly invitations: InvitationRepository,
    private readonly tenantLock: TenantLock,
    private readonly signIns: SignInCheck,
  ) {}

  /**
   * Returns the invitation of a token.
   * @throws {AppError} validation-error on `token` if it is wrong, used, revoked or expired, or the
   *   inviting member could not invite any more
   */
  async requireOpen(plainToken: string): Promise<PresentedInvitation> {
    return this.requireOpenNow(await this.invitations.findPresented(hashOneTimeToken(plainToken), false));
  }

  /**
   * Returns the same, and locks the organization and the invitation, in this order.
   * @throws {AppError} as {@link requireOpen}
   */
  async requireOpenForUpdate(plainToken: string): Promise<LockedInvitation> {
    const tokenHash = hashOneTimeToken(plainToken);
    const id = await this.invitations.findTenantId(tokenHash);
    if (id === null) return refuseToken();
    const tenantId = await this.tenantLock.lockForUpdate(id);
    return {
      ...(await this.requireOpenNow(await this.invitations.findPresented(tokenHash, true))),
      tenantId,
    };
  }

  private async requireOpenNow(invitation: PresentedInvitation | null): Promise<PresentedInvitation> {
    if (invitation?.status !== 'open') return refuseToken();
    const { tenantId, invitedBy: actorId, roleIds } = invitation;
    const counts = await this.authority.couldGive({ tenantId, actorId }, ['iam:invitation:create'], roleIds);
    return counts ? invitation : refuseToken();
  }

  /**
   * Requires a sign-in that the organization accepts, of a caller for whom only a connection of
   * another organization has vouched.
   * @throws {AppError} insufficient-user-authentication
   */
  async requireSignIn(caller: PersonPrincipal, { tenantId }: PresentedInvitation): Promise<void> {
    if (caller.ownProofMissing) await this.signIns.require(caller, tenantId);
  }

  /** @throws {AppError} forbidden if the organization is archived */
  async requireActiveTenant({ tenantId }: PresentedInvitation): Promise<Tenant> {
    const tenant = await this.tenants.get(tenantId);
    if (tenant.archivedAt !== null) throw refused(forbid('tenant.archived'));
    return tenant;
  }
}

/** @throws {AppError} validation-error on `token` */
function refuseToken(): never {
  throw AppError.violation('token', { id: 'invitation.not-valid' });
}

/** Error for what the state of an invitation or its organization forbids. */
export const refused = (reason: Refusal): AppError => denialError(denyByState(reason));
