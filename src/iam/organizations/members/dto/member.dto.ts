import { Input } from '../../../../platform/api/index.js';
import { ROLE_KEYS } from '../../roles/role.fields.js';

export class ChangeRolesDto {
  @Input(ROLE_KEYS)
  roles: string[];
}
