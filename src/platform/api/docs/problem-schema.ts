import type { SchemaObject } from '@nestjs/swagger';
import { type ErrorCode, errorCodes, errorRow } from '../../errors/index.js';
import { ULID_PATTERN } from '../../../kernel/index.js';

const sentence = (max: number) => ({ type: 'string', pattern: '\\S', maxLength: max });

const MEMBERS: Record<string, SchemaObject> = {
  type: {
    type: 'string',
    format: 'uri-reference',
    pattern: '^/errors/[a-z-]+$',
    maxLength: 100,
    description: 'Error type: decide by this member. The path opens a page that explains the error.',
    examples: ['/errors/not-found'],
  },
  title: { ...sentence(100), description: 'Name of the error, for people.', examples: ['Not Found'] },
  status: {
    type: 'integer',
    format: 'int32',
    minimum: 400,
    maximum: 599,
    description: 'HTTP status.',
    examples: [404],
  },
  detail: {
    ...sentence(1_000),
    description: 'What happened, for people.',
    examples: ['The resource does not exist.'],
  },
  instance: {
    type: 'string',
    format: 'uri',
    pattern: `^urn:request:${ULID_PATTERN.slice(1)}`,
    maxLength: 38,
    description: 'Id of this occurrence, the same as in `X-Request-Id`.',
    examples: ['urn:request:01K3V9D7Q8Z4X5N6M7P8R9S0T4'],
  },
};

/** Member of a denied ability, in addition to those that error codes declare. */
const DENIAL: Record<string, SchemaObject> = {
  code: {
    type: 'string',
    pattern: '^[a-z_]+$',
    maxLength: 50,
    description:
      'Why an ability was denied, from a closed list: the same code as in the permission check. `detail` gives the reason.',
    examples: ['subject_not_found'],
  },
};

const VIOLATION: SchemaObject = {
  type: 'object',
  required: ['propertyPath', 'message'],
  properties: {
    propertyPath: {
      type: 'string',
      pattern: '^[^\\s]*$',
      maxLength: 70_000,
      description:
        'JSON field, `scopes[3]` for an item of a list, or query parameter; empty for the body as a whole.',
      examples: ['email'],
    },
    message: {
      ...sentence(1_000),
      description: 'What a valid value must be.',
      examples: ['must be an email address'],
    },
  },
};

/** @returns the schemas of the bodies of errors (RFC 9457), with the members of all codes */
export function problemSchemas(): Readonly<Record<string, SchemaObject>> {
  const optional = errorCodes().map((code) => errorRow(code).members);
  return {
    Problem: {
      type: 'object',
      description: 'Problem details by RFC 9457. Members that are not listed here may be added.',
      required: Object.keys(MEMBERS),
      properties: Object.assign({}, MEMBERS, DENIAL, ...optional) as Record<string, SchemaObject>,
    },
    ValidationProblem: {
      type: 'object',
      description: 'Problem of an invalid request, with one violation for each invalid field.',
      required: [...Object.keys(MEMBERS), 'violations'],
      properties: {
        ...MEMBERS,
        violations: {
          type: 'array',
          minItems: 1,
          maxItems: 1_000,
          items: { $ref: '#/components/schemas/Violation' },
        },
      },
    },
    Violation: VIOLATION,
  };
}

/** Schemas of errors with further members. */
const SCHEMA_OF: Partial<Record<ErrorCode, string>> = { 'validation-error': 'ValidationProblem' };

/** @returns the name of the schema of an error's body */
export function problemSchemaOf(code: ErrorCode): string {
  return SCHEMA_OF[code] ?? 'Problem';
}
