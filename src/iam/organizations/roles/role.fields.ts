import { SCOPE_SHAPE } from '../../../ability/index.js';
import { listField, textField } from '../../../platform/api/index.js';

const ROLE_KEY = /^[a-z][a-z0-9-]{0,49}$/;

export const ROLE_KEY_FIELD = textField({
  max: 50,
  pattern: ROLE_KEY,
  shape: 'lower-case letters, digits and hyphens, beginning with a letter',
  example: 'dispatcher',
});

export const ROLE_NAME = textField({ max: 100, example: 'Dispatcher' });

/**
 * Scopes of a role.
 * @param max in a response more than in a request: built-in roles have all scopes
 */
export const roleScopes = (max: number) =>
  listField({
    max,
    pattern: SCOPE_SHAPE,
    message: 'must have the shape <module>:<entity>:<action>',
    example: ['iam:member:read', 'iam:invitation:create'],
  });

/** Roles of a member or an invitation. */
export const ROLE_KEYS = listField({
  min: 1,
  max: 20,
  pattern: ROLE_KEY,
  message: 'must be the key of a role',
  description: 'Keys of the roles.',
  example: ['member'],
});
