import { SCOPE_SHAPE } from '../../ability/index.js';
import {
  booleanField,
  Input,
  listField,
  objectListField,
  Output,
  textField,
  toResponse,
} from '../../platform/api/index.js';
import type { PermissionModule } from './permission-module.repository.js';

/** Each replica has all modules in memory. */
export const MAX_MODULES = 50;
const MAX_PERMISSIONS = 200;

const MODULE = textField({ max: 64, example: 'freight', description: 'First part of the scopes.' });
const TITLE = textField({
  max: 100,
  example: 'Freight',
  description: 'Heading of the permissions, for people who compose a role.',
});
const SCOPE = textField({
  max: 200,
  pattern: SCOPE_SHAPE,
  shape: '<module>:<entity>:<action>',
  example: 'freight:order:cancel',
});
const PERMISSION_TITLE = textField({ max: 100, example: 'Cancel orders', description: 'What it allows.' });
const DESCRIPTION = textField({
  max: 300,
  example: 'Orders that no driver has taken yet.',
  description: 'One more sentence about it, or null.',
});
const ROLES = listField({
  max: 2,
  pattern: /^(?:admin|member)$/,
  message: 'must be admin or member',
  description: 'Built-in roles that hold it, besides the owner. Default: the admin.',
  example: ['admin'],
});
const ALLOWED_WHEN_ARCHIVED = booleanField({
  description: 'Whether it applies in an archived organization: for what only reads. Default: false.',
});

export class RegisteredPermissionDto {
  @Input(SCOPE)
  scope: string;

  @Input(PERMISSION_TITLE)
  title: string;

  @Input(DESCRIPTION, { optional: true, nullable: true })
  description?: string | null;

  @Input(ROLES, { optional: true })
  roles?: string[];

  @Input(ALLOWED_WHEN_ARCHIVED, { optional: true })
  allowedWhenArchived?: boolean;
}

export class RegisterPermissionsDto {
  @Input(TITLE)
  title: string;

  @Input(objectListField(() => RegisteredPermissionDto, MAX_PERMISSIONS))
  permissions: RegisteredPermissionDto[];
}

export class RegisteredPermissionResponse {
  @Output(SCOPE)
  scope: string;
  @Output(PERMISSION_TITLE)
  title: string;
  @Output(DESCRIPTION, { nullable: true })
  description: string | null;
  @Output(ROLES)
  roles: string[];
  @Output(ALLOWED_WHEN_ARCHIVED)
  allowedWhenArchived: boolean;
}

export class PermissionModuleResponse {
  @Output.ulid({ description: 'For the permission check.', example: '01K3V9D7Q8Z4X5N6M7P8R9S0T1' })
  id: string;
  @Output(MODULE)
  module: string;
  @Output(TITLE)
  title: string;
  @Output(objectListField(() => RegisteredPermissionResponse, MAX_PERMISSIONS))
  permissions: RegisteredPermissionResponse[];
  @Output.time({ description: 'Time of the last registration.' })
  updatedAt: string;

  static from({ permissions, ...module }: PermissionModule): PermissionModuleResponse {
    return toResponse(PermissionModuleResponse, {
      ...module,
      permissions: permissions.map(({ roles, ...permission }) => ({ ...permission, roles: [...roles] })),
    });
  }
}

export class PermissionModulesResponse {
  @Output(objectListField(() => PermissionModuleResponse, MAX_MODULES))
  items: PermissionModuleResponse[];
}
