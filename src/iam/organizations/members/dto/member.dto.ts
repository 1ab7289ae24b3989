import { RoleKeysField } from '../../roles/dto/role.dto.js';

export class ChangeRolesDto {
  @RoleKeysField()
  roles: string[];
}
