import { EmailField, TextField } from '../../../../platform/api/index.js';
import { RoleKeysField } from '../../roles/dto/role.dto.js';

export class InviteDto {
  @EmailField()
  email: string;

  @RoleKeysField()
  roles: string[];
}

export class AcceptInvitationDto {
  @TextField({
    max: 512,
    example: 'Yl5sQpD3c8m0bq4T1xkq1S2m2o3q0b8mC8o6wq1nJ2E',
    description: 'Token of the mailed link.',
  })
  token: string;
}
