import { Input, objectListField, Output, PartialType, PickType } from '../../../platform/api/index.js';
import { ROLE_KEY_FIELD, ROLE_NAME, roleScopes } from './role.fields.js';
import type { Role } from './role.repository.js';

export class RoleResponse {
  @Output.ulid({ example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output(ROLE_KEY_FIELD)
  key: string;
  @Output(ROLE_NAME)
  name: string;
  @Output(roleScopes(1_000))
  scopes: string[];
  @Output.boolean({ description: 'Owner, admin and member cannot be changed.' })
  builtIn: boolean;

  static from({ id, key, name, scopes, builtIn }: Role): RoleResponse {
    return { id, key, name, scopes: [...scopes], builtIn };
  }
}

/** Permission that roles of an organization can hold. */
export class PermissionResponse {
  @Output.text({ max: 200, example: 'iam:invitation:create' })
  scope: string;
  @Output.text({ max: 100, example: 'Invite people', description: 'What it allows.' })
  title: string;
  @Output.text({
    nullable: true,
    max: 300,
    example: 'Invite addresses to roles that one may give.',
    description: 'One more sentence about it, or null.',
  })
  description: string | null;
  @Output.text({ max: 100, example: 'Invitations', description: 'Heading under which to show it.' })
  group: string;
  @Output.boolean({
    example: true,
    description: 'Whether the caller holds it, and so can give it to a role.',
  })
  givable: boolean;
}

export class PermissionListResponse {
  @Output(objectListField(() => PermissionResponse, 10_000))
  items: PermissionResponse[];
}

export class CreateRoleDto {
  @Input(ROLE_KEY_FIELD)
  key: string;

  @Input(ROLE_NAME)
  name: string;

  @Input(roleScopes(200))
  scopes: string[];
}

export class UpdateRoleDto extends PartialType(PickType(CreateRoleDto, ['name', 'scopes'])) {}
