import { emailField, Input } from '../../../../platform/api/index.js';
import { MAILED_TOKEN } from '../../../accounts/account.fields.js';
import { ROLE_KEYS } from '../../roles/role.fields.js';

export class InviteDto {
  @Input(emailField())
  email: string;

  @Input(ROLE_KEYS)
  roles: string[];
}

export class AcceptInvitationDto {
  @Input(MAILED_TOKEN)
  token: string;
}
