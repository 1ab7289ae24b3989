import {
  CursorAnswer,
  ListAnswer,
  TextAnswer,
  TimeAnswer,
  UlidAnswer,
  WordAnswer,
} from '../../../platform/api/index.js';
import { RoleKeysAnswer } from '../roles/role.response.js';
import { INVITATION_STATUSES, type Invitation, type InvitationStatus } from './invitation.repository.js';

export class InvitationResponse {
  @UlidAnswer({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @TextAnswer({ max: 254, format: 'email', example: 'grace@example.com' })
  email: string;
  @RoleKeysAnswer()
  roles: string[];
  @WordAnswer(INVITATION_STATUSES)
  status: InvitationStatus;
  @UlidAnswer({ description: 'Member who sent the invitation.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T2' })
  invitedBy: string;
  @TimeAnswer()
  createdAt: string;
  @TimeAnswer()
  expiresAt: string;

  static from({ createdAt, expiresAt, ...invitation }: Invitation): InvitationResponse {
    return { ...invitation, createdAt: createdAt.toISOString(), expiresAt: expiresAt.toISOString() };
  }
}

export class InvitationListResponse {
  @ListAnswer(() => InvitationResponse, 100)
  items: InvitationResponse[];
  @CursorAnswer()
  nextCursor: string | null;
}

export class AcceptedInvitationResponse {
  @UlidAnswer({
    description: 'Organization that the caller joined. Select it to get a token for it.',
    example: '01K3V9D7Q8Z4X5N6M7P8R9S0T3',
  })
  tenantId: string;
}
