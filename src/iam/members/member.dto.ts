import { RoleKeysField } from '../roles/role.dto.js';

export class ChangeRolesDto {
  @RoleKeysField()
  roles: string[];
}
