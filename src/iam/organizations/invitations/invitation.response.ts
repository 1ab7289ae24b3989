import { emailField, Output, timeField, ulidField, wordField } from '../../../platform/api/index.js';
import { ROLE_KEYS } from '../roles/role.fields.js';
import { INVITATION_STATUSES, type InvitationStatus } from './invitation.entity.js';
import type { Invitation } from './invitation.repository.js';

export class InvitationResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
  @Output(emailField({ example: 'grace@example.com' }))
  email: string;
  @Output(ROLE_KEYS)
  roles: string[];
  @Output(wordField(INVITATION_STATUSES))
  status: InvitationStatus;
  @Output(
    ulidField({ description: 'Member who sent the invitation.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' }),
  )
  invitedBy: string;
  @Output(timeField())
  createdAt: string;
  @Output(timeField())
  expiresAt: string;

  static from(invitation: Invitation): InvitationResponse {
    const { id, email, roles, status, invitedBy, createdAt, expiresAt } = invitation;
    return {
      id,
      email,
      roles,
      status,
      invitedBy,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    };
  }
}

export class AcceptedInvitationResponse {
  @Output(
    ulidField({
      description: 'Organization that the caller joined. Select it to get a token for it.',
      example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
    }),
  )
  tenantId: string;
}
