import { booleanField, Output, ulidField } from '../../../platform/api/index.js';
import { ROLE_KEY_FIELD, ROLE_NAME, roleScopes } from './role.fields.js';
import type { Role } from './role.repository.js';

export class RoleResponse {
  @Output(ulidField({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' }))
  id: string;
  @Output(ROLE_KEY_FIELD)
  key: string;
  @Output(ROLE_NAME)
  name: string;
  @Output(roleScopes(1_000))
  scopes: string[];
  @Output(booleanField({ description: 'Owner, admin and member cannot be changed.' }))
  builtIn: boolean;

  static from({ id, key, name, scopes, builtIn }: Role): RoleResponse {
    return { id, key, name, scopes: [...scopes], builtIn };
  }
}
