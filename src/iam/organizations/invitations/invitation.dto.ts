import { Input, objectField, objectListField, Output, toResponse } from '../../../platform/api/index.js';
import { FIRST_NAME, MAILED_TOKEN } from '../../accounts/account.declarations.js';
import { LookResponse } from '../branding/branding.dto.js';
import { ROLE_KEY_FIELD, ROLE_KEYS, ROLE_NAME } from '../roles/role.fields.js';
import { TENANT_NAME } from '../organization.declarations.js';
import { INVITATION_STATUSES, type InvitationStatus } from './invitation.entity.js';
import type { InvitationPreview } from './invitation-preview.service.js';
import type { Invitation } from './invitation.repository.js';

export class InvitationResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output.email({ example: 'grace@example.com' })
  email: string;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output.word(INVITATION_STATUSES)
  status: InvitationStatus;
  @Output.ulid({ description: 'Member who sent the invitation.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  invitedBy: string;
  @Output.time()
  createdAt: string;
  @Output.time()
  expiresAt: string;

  static from(invitation: Invitation): InvitationResponse {
    return toResponse(InvitationResponse, invitation);
  }
}

export class InvitingOrganizationResponse {
  @Output(TENANT_NAME)
  name: string;
}

export class InviterResponse {
  @Output(FIRST_NAME, { nullable: true })
  name: string | null;
}

export class InvitedRoleResponse {
  @Output(ROLE_KEY_FIELD)
  key: string;
  @Output(ROLE_NAME)
  name: string;
}

export class InvitationPreviewResponse {
  @Output(objectField(() => InvitingOrganizationResponse))
  organization: InvitingOrganizationResponse;
  @Output(objectField(() => InviterResponse))
  inviter: InviterResponse;
  @Output(objectListField(() => InvitedRoleResponse, 20))
  roles: InvitedRoleResponse[];
  @Output.email({ description: 'Invited address.', example: 'grace@example.com' })
  email: string;
  @Output.time()
  expiresAt: string;
  @Output(objectField(() => LookResponse), { required: false })
  branding?: LookResponse;

  static from({ expiresAt, roles, branding, ...preview }: InvitationPreview): InvitationPreviewResponse {
    return {
      ...preview,
      roles: [...roles],
      expiresAt: expiresAt.toISOString(),
      ...(branding && { branding: LookResponse.from(branding) }),
    };
  }
}

export class AcceptedInvitationResponse {
  @Output.ulid({
    description: 'Organization that the caller joined. Select it to get a token for it.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  tenantId: string;
}

export class InviteDto {
  @Input.email()
  email: string;

  @Input(ROLE_KEYS)
  roles: string[];
}

/** Query of the list of invitations, in addition to the page's. */
export class InvitationsQuery {
  @Input.text({
    optional: true,
    max: 254,
    description: 'Any part of the address; without three Latin letters or digits in a row, its beginning.',
    example: 'grace',
  })
  query?: string;

  @Input.word(INVITATION_STATUSES, {
    optional: true,
    description: 'Lists only the invitations of this status.',
  })
  status?: InvitationStatus;
}

export class PreviewInvitationDto {
  @Input(MAILED_TOKEN)
  token: string;
}

export class AcceptInvitationDto extends PreviewInvitationDto {}
