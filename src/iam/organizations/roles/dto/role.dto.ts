import { SCOPE_SHAPE } from '../../../../ability/index.js';
import { ListField, TextField } from '../../../../platform/api/index.js';

/** Spelling of the key of a role. */
export const ROLE_KEY = /^[a-z][a-z0-9-]{0,49}$/;

const ScopesField = (optional: boolean) =>
  ListField({
    min: 0,
    max: 200,
    optional,
    pattern: SCOPE_SHAPE,
    message: 'must have the shape <module>:<entity>:<action>',
    example: ['iam:member:read', 'iam:invitation:create'],
  });

/** Validates a list of keys of roles. */
export const RoleKeysField = () =>
  ListField({
    min: 1,
    max: 20,
    pattern: ROLE_KEY,
    message: 'must be the key of a role',
    example: ['member'],
  });

export class CreateRoleDto {
  @TextField({
    max: 50,
    pattern: ROLE_KEY,
    shape: 'lower-case letters, digits and hyphens, beginning with a letter',
    example: 'dispatcher',
  })
  key: string;

  @TextField({ max: 100, example: 'Dispatcher' })
  name: string;

  @ScopesField(false)
  scopes: string[];
}

export class UpdateRoleDto {
  @TextField({ max: 100, optional: true, example: 'Dispatcher' })
  name?: string;

  @ScopesField(true)
  scopes?: string[];
}
