import { Input } from '../../../../platform/api/index.js';
import { ROLE_KEY_FIELD, ROLE_NAME, roleScopes } from '../role.fields.js';

const SCOPES = roleScopes(200);

export class CreateRoleDto {
  @Input(ROLE_KEY_FIELD)
  key: string;

  @Input(ROLE_NAME)
  name: string;

  @Input(SCOPES)
  scopes: string[];
}

export class UpdateRoleDto {
  @Input(ROLE_NAME, { optional: true })
  name?: string;

  @Input(SCOPES, { optional: true })
  scopes?: string[];
}
