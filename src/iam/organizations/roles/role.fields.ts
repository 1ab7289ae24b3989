import { SCOPE_SHAPE } from '../../../ability/index.js';
import { isObject } from '../../../kernel/index.js';
import { badItems, type Field, listField, textField, timeField } from '../../../platform/api/index.js';

const ROLE_KEY = /^[a-z][a-z0-9-]{0,49}$/;

export const ROLE_KEY_FIELD = textField({
  max: 50,
  pattern: ROLE_KEY,
  shape: 'lower-case letters, digits and hyphens, beginning with a letter',
  example: 'dispatcher',
  description: 'Key of the role, by which requests and tokens name it. It never changes.',
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

export const ROLE_END = timeField({ description: 'When the role ends. null: never.' });

/** A role with its end; null for none. */
export interface RoleUntil {
  readonly key: string;
  readonly until?: string | null;
}

const isTime = ROLE_END.checks[0]?.test;

function isRoleToGive(item: unknown): boolean {
  if (typeof item === 'string') return ROLE_KEY.test(item);
  if (!isObject(item)) return false;
  const { key, until, ...others } = item;
  const isEnd = until === undefined || until === null || isTime?.(until) === true;
  return typeof key === 'string' && ROLE_KEY.test(key) && isEnd && Object.keys(others).length === 0;
}

const KEY_SCHEMA = { type: 'string', pattern: ROLE_KEY.source, maxLength: 50 };
const KEYS = { min: 1, max: 20 };

/** Roles to give a member, each by its key or with its end. */
export const ROLES_TO_GIVE: Field = {
  schema: {
    type: 'array',
    items: {
      oneOf: [
        KEY_SCHEMA,
        {
          type: 'object',
          additionalProperties: false,
          required: ['key'],
          properties: {
            key: KEY_SCHEMA,
            until: { type: 'string', format: 'date-time', maxLength: 30, pattern: 'Z$', nullable: true },
          },
        },
      ],
    },
    minItems: KEYS.min,
    maxItems: KEYS.max,
    description:
      'The roles: keys, or keys with the time at which the role ends. A plain key keeps the end that the role has.',
    example: [{ key: 'member', until: '2099-12-31T18:00:00.000Z' }],
  } as Field['schema'],
  checks: [
    {
      name: 'list',
      message: { id: 'field.list', values: KEYS },
      test: (value) => Array.isArray(value) && value.length >= KEYS.min && value.length <= KEYS.max,
    },
    {
      name: 'items',
      message: 'must be the key of a role, or an object of key and until',
      test: (value) => !Array.isArray(value) || badItems(value, isRoleToGive).length === 0,
      items: isRoleToGive,
    },
  ],
};
