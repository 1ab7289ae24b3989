import { emailField, Input, textField, wordField } from '../../../../platform/api/index.js';
import { MAILED_TOKEN } from '../../../accounts/account.fields.js';
import { INVITATION_STATUSES, type InvitationStatus } from '../invitation.entity.js';
import { ROLE_KEYS } from '../../roles/role.fields.js';

export class InviteDto {
  @Input(emailField())
  email: string;

  @Input(ROLE_KEYS)
  roles: string[];
}

/** Query of the list of invitations, in addition to the page's. */
export class InvitationsQuery {
  @Input(
    textField({
      max: 254,
      description: 'Any part of the address; without three Latin letters or digits in a row, its beginning.',
      example: 'grace',
    }),
    {
      optional: true,
    },
  )
  query?: string;

  @Input(wordField(INVITATION_STATUSES, { description: 'Lists only the invitations of this status.' }), {
    optional: true,
  })
  status?: InvitationStatus;
}

export class PreviewInvitationDto {
  @Input(MAILED_TOKEN)
  token: string;
}

export class AcceptInvitationDto {
  @Input(MAILED_TOKEN)
  token: string;
}
