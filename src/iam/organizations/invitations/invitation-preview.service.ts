import { Injectable } from '@nestjs/common';
import { ProfileDirectory } from '../../accounts/profile/profile-directory.js';
import { nameOf } from '../../accounts/person-name.js';
import { BrandingService, type Look } from '../branding/branding.service.js';
import { type Role, RoleRepository } from '../roles/role.repository.js';
import type { Tenant } from '../tenants/tenant.entity.js';
import type { PresentedInvitation } from './invitation.repository.js';
import { InvitationValidity } from './invitation-validity.js';

/** An invitation as the invited person sees it before accepting. */
export interface InvitationPreview extends Pick<PresentedInvitation, 'email' | 'expiresAt'> {
  readonly organization: Pick<Tenant, 'name'>;
  /** The name is null if the inviting member has none. */
  readonly inviter: { readonly name: string | null };
  readonly roles: readonly Pick<Role, 'key' | 'name'>[];
  /** Null if the organization has no own look. */
  readonly branding: Look | null;
}

/**
 * Shows an invitation to its receiver. The token proves the mailbox, so that the receiver may see
 * the invited address; whether the address has an account is not revealed.
 */
@Injectable()
export class InvitationPreviews {
  constructor(
    private readonly validity: InvitationValidity,
    private readonly roles: RoleRepository,
    private readonly profiles: ProfileDirectory,
    private readonly brandings: BrandingService,
  ) {}

  /**
   * @throws {AppError} validation-error on `token`, and forbidden in an archived organization, as
   *   an acceptance does
   */
  async show(plainToken: string): Promise<InvitationPreview> {
    const invitation = await this.validity.requireOpen(plainToken);
    const { tenantId, roleIds, invitedBy, email, expiresAt } = invitation;
    const { name } = await this.validity.requireActiveTenant(invitation);
    const roles = (await this.roles.findAllOf([tenantId])).filter(({ id }) => roleIds.includes(id));
    const inviter = await this.profiles.find(invitedBy);
    return {
      organization: { name },
      inviter: { name: inviter && nameOf(inviter) },
      roles: roles.map((role) => ({ key: role.key, name: role.name })),
      email,
      expiresAt,
      branding: await this.brandings.findLook(tenantId),
    };
  }
}
