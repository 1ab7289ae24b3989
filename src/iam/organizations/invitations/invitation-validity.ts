import { Injectable } from '@nestjs/common';
import { denialError, denyByState, forbid, type Refusal } from '../../../ability/index.js';
import { AppError } from '../../../platform/errors/index.js';
import { MemberAuthority } from '../members/member-authority.js';
import type { Tenant } from '../tenants/tenant.js';
import { TenantService } from '../tenants/tenant.service.js';
import type { PresentedInvitation } from './invitation.repository.js';
import '../organization.messages.js';

/** Decides whether a presented invitation can be accepted, for its preview and its acceptance. */
@Injectable()
export class InvitationValidity {
  constructor(
    private readonly tenants: TenantService,
    private readonly authority: MemberAuthority,
  ) {}

  /**
   * @param invitation the one of the presented token; null if there is none
   * @throws {AppError} validation-error on `token` if it is wrong, used, revoked or expired, or the
   *   inviting member could not invite any more
   */
  async requireOpen(invitation: PresentedInvitation | null): Promise<PresentedInvitation> {
    if (invitation?.status !== 'open') return this.refuseToken();
    const { tenantId, invitedBy: actorId, roleIds } = invitation;
    const counts = await this.authority.couldGive({ tenantId, actorId }, 'iam:invitation:create', roleIds);
    return counts ? invitation : this.refuseToken();
  }

  /** @throws {AppError} validation-error on `token` */
  refuseToken(): never {
    throw AppError.violation('token', { id: 'invitation.not-valid' });
  }

  /** @throws {AppError} forbidden if the organization is archived */
  async requireActiveTenant({ tenantId }: PresentedInvitation): Promise<Tenant> {
    const tenant = await this.tenants.get(tenantId);
    if (tenant.archivedAt !== null) throw refused(forbid('tenant.archived'));
    return tenant;
  }
}

/** Error for what the state of an invitation or its organization forbids. */
export const refused = (reason: Refusal): AppError => denialError(denyByState(reason));
